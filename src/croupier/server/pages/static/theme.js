// Runs before the first paint: the theme that was chosen here before, if any.
(() => {
  try {
    const chosen = localStorage.getItem("croupier-theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // No storage: the system's theme it is.
  }
})();

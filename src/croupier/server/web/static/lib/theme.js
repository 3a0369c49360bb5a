// Runs before the first paint: applies the theme that was chosen before.
(() => {
  try {
    const chosen = localStorage.getItem("croupier-theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // No storage: use the system theme.
  }
})();

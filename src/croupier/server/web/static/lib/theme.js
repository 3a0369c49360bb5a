// Applies the stored theme before the first paint.
(() => {
  try {
    const theme = localStorage.getItem("croupier-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // No storage: use the system theme.
  }
})();

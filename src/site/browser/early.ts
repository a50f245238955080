// Runs before the page is painted: marks that scripts run, and applies the theme that the reader has chosen, so that nothing
// moves or flashes afterwards.

const { classList } = document.documentElement;
classList.add("js");
try {
  const theme = localStorage.getItem("octavo-theme");
  if (theme === "light" || theme === "dark") {
    classList.remove("device", "light", "dark");
    classList.add(theme);
  }
} catch {
  // Without storage, the page has the theme of the site.
}

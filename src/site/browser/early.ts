// What runs before the page is painted: it says that there is a script, and takes the theme that the reader chose. So nothing
// jumps and nothing flashes.

const { classList } = document.documentElement;
classList.add("js");
try {
  const chosen = localStorage.getItem("octavo-theme");
  if (chosen === "light" || chosen === "dark") {
    classList.remove("device", "light", "dark");
    classList.add(chosen);
  }
} catch {
  // A browser that keeps nothing shows the theme of the site.
}

// The script of the reference. It filters the table of contents, copies samples, and sends the requests of the try-it form.
// Everything can be read without it.

import "./try-it";

/** The key of the token that the reader keeps until the tab is closed. */
const TOKEN_KEY = "octavo-reference-token";

const input = document.querySelector<HTMLInputElement>(".search input")!;
const contents = document.querySelector<HTMLElement>("#contents")!;
const groups = [...contents.querySelectorAll("details")];
const wasOpen = groups.map((group) => group.open);

/** Filters the table of contents while the reader types. */
function filterContents(): void {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  document.body.classList.toggle("filtering", words.length > 0);
  for (const [i, group] of groups.entries()) {
    let matches = 0;
    for (const line of group.querySelectorAll<HTMLElement>("li[data-words]")) {
      line.hidden = !words.every((word) => line.dataset.words!.includes(word));
      if (!line.hidden) matches++;
    }
    group.hidden = words.length > 0 && matches === 0;
    group.open = words.length > 0 ? matches > 0 : wasOpen[i]!;
  }
}
input.addEventListener("input", filterContents);
document.addEventListener("keydown", (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as Element).tagName);
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    input.focus();
  }
  if (event.key === "Escape" && event.target === input) {
    input.value = "";
    filterContents();
  }
});
// Scroll the table of contents to the current page if it is beside the page. If it is below, the page would jump.
const current = contents.querySelector<HTMLElement>("[aria-current]");
if (current && contents.scrollHeight > contents.clientHeight)
  contents.scrollTop = current.offsetTop - contents.clientHeight / 2;

// Add a button to each code block that copies its text.
if (navigator.clipboard)
  for (const pre of document.querySelectorAll("figure.code > pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(pre.textContent!);
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, 1500);
    });
    pre.before(button);
  }

// Keep the credential until the tab is closed, if the reader chooses so.
for (const keep of document.querySelectorAll<HTMLInputElement>("[data-keep]")) {
  const token = keep.closest("fieldset")!.querySelector<HTMLInputElement>("[data-secret]")!;
  const stored = sessionStorage.getItem(TOKEN_KEY);
  token.value = stored ?? "";
  keep.checked = stored !== null;
  const storeToken = () => {
    if (keep.checked && token.value) sessionStorage.setItem(TOKEN_KEY, token.value);
    else sessionStorage.removeItem(TOKEN_KEY);
  };
  token.addEventListener("change", storeToken);
  keep.addEventListener("change", storeToken);
}

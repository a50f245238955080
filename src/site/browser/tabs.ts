// Tabs that are remembered and open together, and everything that opens where an address leads into it.

import { findAll } from "./elements";

const NAME = "octavo-tabs";
/** How many titles are remembered. */
const MOST = 20;

function readStoredTitles(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(kept) ? kept.filter((it) => typeof it === "string") : [];
  } catch {
    return [];
  }
}

const findTabInputs = () => findAll<HTMLInputElement>(".tabs > input");
const getTabTitle = (input: HTMLInputElement) => input.labels?.[0]?.textContent ?? "";

export function connectTabs(): void {
  for (const title of readStoredTitles().reverse()) selectTabs(title);
  for (const input of findTabInputs())
    input.addEventListener("change", () => {
      // The other tabs may change their height. What the reader looks at stays where it is.
      const before = input.getBoundingClientRect().top;
      selectTabs(getTabTitle(input));
      scrollBy({ top: input.getBoundingClientRect().top - before, behavior: "instant" });
      try {
        const titles = [getTabTitle(input), ...readStoredTitles().filter((it) => it !== getTabTitle(input))];
        localStorage.setItem(NAME, JSON.stringify(titles.slice(0, MOST)));
      } catch {
        // Nothing is kept here, so nothing is remembered.
      }
    });
  addEventListener("hashchange", openTarget);
  openTarget();
}

function selectTabs(title: string): void {
  for (const input of findTabInputs()) if (getTabTitle(input) === title) input.checked = true;
}

/** Opens the folds and tabs around what the address names. */
function openTarget(): void {
  const target = document.getElementById(decodeFragment(location.hash.slice(1)));
  if (!target || location.hash === "") return;
  let opened = false;
  for (let at = target.parentElement; at; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement && !at.open) opened = at.open = true;
    const input = at.matches(".tabs > .panel") ? at.previousElementSibling?.previousElementSibling : undefined;
    if (input instanceof HTMLInputElement && !input.checked) opened = input.checked = true;
  }
  if (opened) target.scrollIntoView();
}

function decodeFragment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Tabs: those with the same title open together and are remembered, and the target of the URL is opened if it is in a panel.

import { findAll } from "./elements";

const STORAGE_KEY = "octavo-tabs";
const MAX_TITLES = 20;

function readStoredTitles(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((it) => typeof it === "string") : [];
  } catch {
    return [];
  }
}

const getTabTitle = (input: HTMLInputElement) => input.labels?.[0]?.textContent ?? "";

export function connectTabs(): void {
  for (const title of readStoredTitles().reverse()) selectTabs(title);
  for (const input of findAll<HTMLInputElement>(".tabs > input"))
    input.addEventListener("change", () => {
      // Other tabs may change their height, so the page is scrolled to keep this one in place.
      const top = input.getBoundingClientRect().top;
      selectTabs(getTabTitle(input));
      scrollBy({ top: input.getBoundingClientRect().top - top, behavior: "instant" });
      try {
        const titles = [getTabTitle(input), ...readStoredTitles().filter((title) => title !== getTabTitle(input))];
        localStorage.setItem(STORAGE_KEY, JSON.stringify(titles.slice(0, MAX_TITLES)));
      } catch {
        // Without storage, nothing is remembered.
      }
    });
  addEventListener("hashchange", openTarget);
  openTarget();
}

function selectTabs(title: string): void {
  for (const input of findAll<HTMLInputElement>(".tabs > input"))
    if (getTabTitle(input) === title) input.checked = true;
}

/** Opens the expandables and tabs around the element that the URL names. */
function openTarget(): void {
  let id = location.hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    // A fragment that is not encoded is the id itself.
  }
  const target = document.getElementById(id);
  if (!target || location.hash === "") return;
  let hasOpened = false;
  for (let element = target.parentElement; element; element = element.parentElement) {
    if (element instanceof HTMLDetailsElement && !element.open) hasOpened = element.open = true;
    const isPanel = element.matches(".tabs > .panel");
    const input = isPanel ? element.previousElementSibling?.previousElementSibling : undefined;
    if (input instanceof HTMLInputElement && !input.checked) hasOpened = input.checked = true;
  }
  if (hasOpened) target.scrollIntoView();
}

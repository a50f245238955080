// Buttons that copy: the text of a block of code, and the whole page as Markdown.

import { all, make, type Told } from "./elements";

export function addCopying(told: Told): void {
  for (const pre of all(".code > pre")) {
    const button = make("button", { type: "button", class: "copy" }, told.copy);
    button.addEventListener("click", () => copy(button, () => textOf(pre), told));
    pre.parentElement!.append(button);
  }
  for (const button of all<HTMLButtonElement>("[data-copy-from]"))
    button.addEventListener("click", () => copy(button, () => fetched(button.dataset.copyFrom!), told));
}

/** The lines, without the empty one that ends the last. */
function textOf(pre: HTMLElement): string {
  return all(".line", pre)
    .map((line) => line.textContent!.replace(/\n$/, ""))
    .join("\n");
}

async function fetched(address: string): Promise<string> {
  const response = await fetch(address, { headers: { accept: "text/markdown" } });
  if (!response.ok) throw new Error(String(response.status));
  return response.text();
}

async function copy(button: HTMLButtonElement, text: () => string | Promise<string>, { copied }: Told): Promise<void> {
  const before = button.textContent!;
  try {
    await navigator.clipboard.writeText(await text());
  } catch {
    // Not over plain HTTP, or the reader said no: the text can still be selected.
    return;
  }
  button.textContent = copied;
  setTimeout(() => {
    button.textContent = before;
  }, 2000);
}

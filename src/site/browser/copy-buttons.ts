// Buttons that copy: the text of a block of code, and the whole page as Markdown.

import { createElement, findAll, type ScriptConfig } from "./elements";

export function addCopyButtons(config: ScriptConfig): void {
  for (const pre of findAll(".code > pre")) {
    const button = createElement("button", { type: "button", class: "copy" }, config.copy);
    button.addEventListener("click", () => copyToClipboard(button, () => getCodeText(pre), config));
    pre.parentElement!.append(button);
  }
  for (const button of findAll<HTMLButtonElement>("[data-copy-from]"))
    button.addEventListener("click", () =>
      copyToClipboard(button, () => fetchMarkdown(button.dataset.copyFrom!), config),
    );
}

/** The lines, without the empty one that ends the last. */
function getCodeText(pre: HTMLElement): string {
  return findAll(".line", pre)
    .map((line) => line.textContent!.replace(/\n$/, ""))
    .join("\n");
}

async function fetchMarkdown(address: string): Promise<string> {
  const response = await fetch(address, { headers: { accept: "text/markdown" } });
  if (!response.ok) throw new Error(String(response.status));
  return response.text();
}

async function copyToClipboard(
  button: HTMLButtonElement,
  text: () => string | Promise<string>,
  { copied }: ScriptConfig,
): Promise<void> {
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

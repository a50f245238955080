// Buttons that copy a code block, and the page as Markdown.

import { createElement, findAll, type ScriptConfig } from "./elements";

export function addCopyButtons(config: ScriptConfig): void {
  for (const pre of findAll(".code > pre")) {
    const button = createElement("button", { type: "button", class: "copy" }, config.copy);
    // Each line ends with a line break of its own.
    const getCode = () =>
      findAll(".line", pre)
        .map((line) => line.textContent!.replace(/\n$/, ""))
        .join("\n");
    button.addEventListener("click", () => copyToClipboard(button, getCode, config));
    pre.parentElement!.append(button);
  }
  for (const button of findAll<HTMLButtonElement>("[data-copy-from]")) {
    const fetchMarkdown = async () => {
      const response = await fetch(button.dataset.copyFrom!, { headers: { accept: "text/markdown" } });
      if (!response.ok) throw new Error(String(response.status));
      return response.text();
    };
    button.addEventListener("click", () => copyToClipboard(button, fetchMarkdown, config));
  }
}

async function copyToClipboard(
  button: HTMLButtonElement,
  getText: () => string | Promise<string>,
  { copied }: ScriptConfig,
): Promise<void> {
  const label = button.textContent!;
  try {
    await navigator.clipboard.writeText(await getText());
  } catch {
    // The page was loaded over plain HTTP, or the reader refused. The text can still be selected.
    return;
  }
  button.textContent = copied;
  setTimeout(() => {
    button.textContent = label;
  }, 2000);
}

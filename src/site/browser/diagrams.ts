// Diagrams are drawn in a frame that has no origin, by a script that the page itself does not load. The frame gets the text, and
// says how high the drawing is.

import { createElement, findAll, type ScriptConfig } from "./elements";

export function drawDiagrams({ diagramAt, diagram = "" }: ScriptConfig): void {
  if (diagramAt === undefined) return;
  for (const figure of findAll("[data-diagram]")) {
    const source = figure.querySelector("pre")!;
    const text = source.textContent!;
    const frame = createElement("iframe", {
      src: diagramAt,
      title: diagram,
      sandbox: "allow-scripts",
      loading: "lazy",
    });
    const send = () => frame.contentWindow?.postMessage({ text, isDark: isDarkTheme() }, "*");
    frame.addEventListener("load", send);
    addEventListener("message", ({ source: from, data }: MessageEvent<{ height?: unknown }>) => {
      if (from !== frame.contentWindow) return;
      const height = Number(data.height);
      // A text that is no diagram stays a text.
      if (!(height > 0)) return frame.remove();
      frame.style.height = `${Math.min(height, 4000)}px`;
      source.hidden = true;
    });
    new MutationObserver(send).observe(document.documentElement, { attributeFilter: ["class"] });
    figure.append(frame);
  }
}

/** What the style sheet says, whoever chose it. */
function isDarkTheme(): boolean {
  return getComputedStyle(document.documentElement).colorScheme === "dark";
}

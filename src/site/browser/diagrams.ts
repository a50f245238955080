// Diagrams, drawn in a frame without an origin, by a script that the page itself does not load. The frame receives the text and
// returns the height of the drawing.

import { createElement, findAll, type ScriptConfig } from "./elements";

const MAX_HEIGHT = 4000;

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
    const sendText = () => {
      // The stylesheet decides, whether the reader or the device has chosen the theme.
      const isDark = getComputedStyle(document.documentElement).colorScheme === "dark";
      frame.contentWindow?.postMessage({ text, isDark }, "*");
    };
    frame.addEventListener("load", sendText);
    addEventListener("message", ({ source: sender, data }: MessageEvent<{ height?: unknown }>) => {
      if (sender !== frame.contentWindow) return;
      const height = Number(data.height);
      // A text that is not a valid diagram stays visible.
      if (!(height > 0)) return frame.remove();
      frame.style.height = `${Math.min(height, MAX_HEIGHT)}px`;
      source.hidden = true;
    });
    new MutationObserver(sendText).observe(document.documentElement, { attributeFilter: ["class"] });
    figure.append(frame);
  }
}

// Diagrams are drawn in a frame that has no origin, by a script that the page itself does not load. The frame gets the text, and
// says how high the drawing is.

import { all, make, type Told } from "./elements";

export function drawDiagrams({ diagramAt, diagram = "" }: Told): void {
  if (diagramAt === undefined) return;
  for (const figure of all("[data-diagram]")) {
    const source = figure.querySelector("pre")!;
    const text = source.textContent!;
    const frame = make("iframe", { src: diagramAt, title: diagram, sandbox: "allow-scripts", loading: "lazy" });
    const send = () => frame.contentWindow?.postMessage({ text, isDark: isDark() }, "*");
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
function isDark(): boolean {
  return getComputedStyle(document.documentElement).colorScheme === "dark";
}

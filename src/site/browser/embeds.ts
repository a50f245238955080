// Embeds: content of another host is loaded when the reader opens it, in a sandboxed frame.

import { createElement, findAll } from "./elements";

const SANDBOX = "allow-scripts allow-same-origin allow-popups allow-forms allow-presentation";

export function openEmbedsOnClick(): void {
  for (const figure of findAll("[data-embed]")) {
    const link = figure.querySelector("a");
    link?.addEventListener("click", (event) => {
      // With a modifier key, the browser opens the link itself.
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      const frame = createElement("iframe", {
        src: figure.dataset.embed!,
        title: link.textContent!,
        sandbox: SANDBOX,
        allow: "fullscreen; picture-in-picture; encrypted-media",
        referrerpolicy: "strict-origin-when-cross-origin",
      });
      link.replaceWith(frame);
      frame.focus();
    });
  }
}

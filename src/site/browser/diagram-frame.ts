// Runs in the frame of a diagram, beside the script of Mermaid: draws the text that the page sends, and returns the height.

interface Mermaid {
  initialize(settings: object): void;
  render(id: string, text: string): Promise<{ readonly svg: string }>;
}

const { mermaid } = globalThis as unknown as { readonly mermaid: Mermaid };

/** The longest text that is drawn. */
const MAX_TEXT_LENGTH = 20_000;
let drawingCount = 0;

addEventListener("message", async ({ source, data }: MessageEvent<{ text?: unknown; isDark?: unknown }>) => {
  if (source !== parent || typeof data.text !== "string") return;
  const theme = data.isDark === true ? "dark" : "default";
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    maxTextSize: MAX_TEXT_LENGTH,
    suppressErrorRendering: true,
    theme,
  });
  const sendHeight = (height: number) => parent.postMessage({ height }, "*");
  try {
    const { svg } = await mermaid.render(`drawing-${++drawingCount}`, data.text);
    // The frame has no origin, cannot load anything, and runs no script but this one and Mermaid.
    document.body.innerHTML = svg;
    document.documentElement.style.colorScheme = data.isDark === true ? "dark" : "light";
    sendHeight(document.body.scrollHeight);
  } catch {
    sendHeight(0);
  }
});

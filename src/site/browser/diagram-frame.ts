// What runs in the frame of a diagram, beside the script that draws.

interface Mermaid {
  initialize(settings: object): void;
  render(id: string, text: string): Promise<{ readonly svg: string }>;
}

const { mermaid } = globalThis as unknown as { readonly mermaid: Mermaid };

/** The longest text that is drawn. */
const LONGEST = 20_000;
let drawn = 0;

addEventListener("message", async ({ source, data }: MessageEvent<{ text?: unknown; isDark?: unknown }>) => {
  if (source !== parent || typeof data.text !== "string") return;
  const theme = data.isDark === true ? "dark" : "default";
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    maxTextSize: LONGEST,
    suppressErrorRendering: true,
    theme,
  });
  const answer = (height: number) => parent.postMessage({ height }, "*");
  try {
    const { svg } = await mermaid.render(`drawing-${++drawn}`, data.text);
    // There is no origin here, nothing can be loaded, and no script but this one and that of the diagrams runs.
    document.body.innerHTML = svg;
    document.documentElement.style.colorScheme = data.isDark === true ? "dark" : "light";
    answer(document.body.scrollHeight);
  } catch {
    answer(0);
  }
});

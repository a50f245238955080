// Shows a rendered document in a frame without scripts. The frame stays when the document changes, so the scroll position stays
// too.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { html, type Markup } from "../../../utils/html";
import { useMessages } from "../messages/messages";
import type { ContentPlace, Document, PageInTree } from "../space/content-place";

/** Marks the rendered markup as trusted. The policy of the page blocks all other markup. */
const trusted = (() => {
  const types = (globalThis as { trustedTypes?: { createPolicy: (name: string, rules: object) => unknown } })
    .trustedTypes;
  const policy = types?.createPolicy("octavo-preview", { createHTML: (text: string) => text }) as
    | { createHTML: (text: string) => string }
    | undefined;
  return (text: string) => policy?.createHTML(text) ?? text;
})();

/** The classes and the language of the framed page, and additional CSS rules. */
export interface FrameAppearance {
  readonly classes: string;
  readonly language: string;
  readonly direction: "ltr" | "rtl";
  readonly rules: string;
}

/** The position of a block in the frame. */
export interface BlockPosition {
  readonly key: string;
  readonly text: string;
  /** In pixels, from the top of the frame. */
  readonly top: number;
}

/** A frame that shows markup. */
export function PreviewFrame({
  markup,
  title,
  isWhole = false,
  dress,
  onLaid,
}: {
  readonly markup: Markup | undefined;
  readonly title: string;
  /** Fits the height of the frame to its content. */
  readonly isWhole?: boolean;
  readonly dress?: FrameAppearance | undefined;
  /** Called with the positions of the blocks whenever they change, if `isWhole` is set. */
  readonly onLaid?: (blocks: readonly BlockPosition[]) => void;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const inside = frame.current?.contentDocument;
    if (!markup || !isReady || !inside) return undefined;
    const parsed = new DOMParser().parseFromString(trusted(markup.text), "text/html");
    for (const mark of parsed.querySelectorAll<HTMLElement>("a[data-block]")) {
      mark.nextElementSibling?.setAttribute("data-block", mark.dataset.block!);
      mark.remove();
    }
    inside.body.replaceChildren(...parsed.body.childNodes);
    if (!isWhole) return undefined;
    const frameElement = frame.current!;
    const adjust = () => {
      frameElement.style.height = `${inside.documentElement.offsetHeight + 4}px`;
      onLaid?.(
        [...inside.querySelectorAll<HTMLElement>("[data-block]")].map((block) => ({
          key: block.dataset.block!,
          text: (block.textContent ?? "").trim().slice(0, 60),
          top: block.getBoundingClientRect().top,
        })),
      );
    };
    adjust();
    // Images load later and change the height.
    const watching = new ResizeObserver(adjust);
    watching.observe(inside.body);
    return () => watching.disconnect();
  }, [markup, isReady]);
  useEffect(() => {
    const inside = frame.current?.contentDocument;
    if (!dress || !isReady || !inside) return;
    const { documentElement: root, defaultView } = inside;
    root.className = dress.classes;
    root.lang = dress.language;
    root.dir = dress.direction;
    // The policy of the frame blocks styles in its markup, but not the style sheets of its own scripts.
    const sheet = new (defaultView as unknown as { CSSStyleSheet: typeof CSSStyleSheet }).CSSStyleSheet();
    sheet.replaceSync(dress.rules);
    inside.adoptedStyleSheets = [sheet];
  }, [dress, isReady]);
  return (
    <iframe
      ref={frame}
      class="preview"
      title={title}
      src="/~console/preview"
      sandbox="allow-same-origin allow-top-navigation-by-user-activation allow-popups"
      onLoad={() => setReady(true)}
    />
  );
}

/** A page as its readers see it. */
export function Preview({
  document: drawn,
  place,
  pages,
  title,
  description,
  children,
}: {
  readonly document: Document | undefined;
  readonly place: ContentPlace;
  readonly pages: readonly PageInTree[];
  readonly title: string;
  readonly description?: string | undefined;
  /** Renders the markup. Default: the frame. */
  readonly children?: (markup: Markup | undefined) => ComponentChildren;
}) {
  const messages = useMessages();
  const [markup, setMarkup] = useState<Markup>();
  useEffect(() => {
    if (!drawn) return undefined;
    let isOver = false;
    void import("./draw-document").then(async ({ drawDocument }) => {
      const { body, notes } = await drawDocument(drawn, place, pages);
      if (isOver) return;
      const lead = description && html`<p class="lead">${description}</p>`;
      const header = html`<header class="title"><h1>${title}</h1>${lead}</header>`;
      setMarkup(html`<main><article>${header}${body}${notes}</article></main>`);
    });
    return () => {
      isOver = true;
    };
  }, [drawn, title, description]);
  return <>{children ? children(markup) : <PreviewFrame markup={markup} title={messages.editor.preview} />}</>;
}

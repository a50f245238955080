// A drawn document, in a frame in which no script runs. The frame stays when the document changes, so the place where one
// reads stays as well.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { html, type Markup } from "../../../utils/html";
import type { Document, PageInTree, Place } from "../space/place";
import { useWords } from "../words/words";

/** Markup that was drawn here. The policy of the page lets nothing else become a document. */
const trusted = (() => {
  const types = (globalThis as { trustedTypes?: { createPolicy: (name: string, rules: object) => unknown } })
    .trustedTypes;
  const policy = types?.createPolicy("octavo-preview", { createHTML: (text: string) => text }) as
    | { createHTML: (text: string) => string }
    | undefined;
  return (text: string) => policy?.createHTML(text) ?? text;
})();

/** What stands around the markup: the classes and the language of the page, and rules that come after the reader's own. */
export interface Dress {
  readonly classes: string;
  readonly language: string;
  readonly direction: "ltr" | "rtl";
  readonly rules: string;
}

/** Where a block of the document lies in the frame. */
export interface Laid {
  readonly key: string;
  readonly text: string;
  /** In pixels, from the top of the frame. */
  readonly top: number;
}

/** Markup in the frame. */
export function Drawn({
  markup,
  title,
  isWhole = false,
  dress,
  onLaid,
}: {
  readonly markup: Markup | undefined;
  readonly title: string;
  /** Whether the frame is as high as what is in it. */
  readonly isWhole?: boolean;
  readonly dress?: Dress | undefined;
  /** Told where the blocks lie, whenever that changes. Only for a frame as high as what is in it. */
  readonly onLaid?: (blocks: readonly Laid[]) => void;
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
    // Pictures come later.
    const watching = new ResizeObserver(adjust);
    watching.observe(inside.body);
    return () => watching.disconnect();
  }, [markup, isReady]);
  useEffect(() => {
    const inside = frame.current?.contentDocument;
    if (dress && isReady && inside) putOn(inside, dress);
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

/** The policy of the frame lets no style stand in its markup; sheets that a script makes are its own. */
function putOn(inside: globalThis.Document, { classes, language, direction, rules }: Dress): void {
  const { documentElement: root, defaultView } = inside;
  root.className = classes;
  root.lang = language;
  root.dir = direction;
  const sheet = new (defaultView as unknown as { CSSStyleSheet: typeof CSSStyleSheet }).CSSStyleSheet();
  sheet.replaceSync(rules);
  inside.adoptedStyleSheets = [sheet];
}

/** A page, as its readers see it. */
export function Preview({
  document: drawn,
  place,
  pages,
  title,
  description,
  children,
}: {
  readonly document: Document | undefined;
  readonly place: Place;
  readonly pages: readonly PageInTree[];
  readonly title: string;
  readonly description?: string | undefined;
  /** What shows the markup. Default: the frame alone. */
  readonly children?: (markup: Markup | undefined) => ComponentChildren;
}) {
  const words = useWords();
  const [markup, setMarkup] = useState<Markup>();
  useEffect(() => {
    if (!drawn) return undefined;
    let isOver = false;
    void import("./draw").then(async ({ drawDocument }) => {
      const { body, notes } = await drawDocument(drawn, place, pages);
      if (isOver) return;
      setMarkup(
        html`<main><article><header class="title"><h1>${title}</h1>${description && html`<p class="lead">${description}</p>`}</header>${body}${notes}</article></main>`,
      );
    });
    return () => {
      isOver = true;
    };
  }, [drawn, title, description]);
  return <>{children ? children(markup) : <Drawn markup={markup} title={words.preview} />}</>;
}

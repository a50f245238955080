// Link cards: files, embedded pages, references to pages, and placeholders for pictures.

import type { BlockOf } from "../../content/document";
import { createStrip, type Strip } from "../flow/strip";
import { MAX_TITLE } from "../limits";
import type { PdfLinkTarget } from "../targets";
import { sanitizeUrl } from "../targets";
import { fitText } from "../text/fit-text";
import { createTextStyle } from "../text/items";
import { toPrintableLine } from "../text/printable";
import { COLORS, SIZES } from "../theme";
import { layOutContent } from "./containers";
import { type CardIcon, drawCardIcon } from "./icons";
import { getReferenceName, type LayoutContext, resolveReferenceTarget } from "./layout-context";
import { drawLine } from "./paragraphs";
import {
  getBlocks,
  getData,
  getFragments,
  getPhrasing,
  getPlainText,
  readString,
  toFields,
  toReference,
} from "./read-document";

/** The content of a card. */
interface Card {
  readonly title: string;
  readonly target?: PdfLinkTarget | undefined;
  readonly kind: CardIcon;
}

/** Creates a card with a title and, for a link out of the file, the URL. */
export function createLinkCard({ title, target, kind }: Card, context: LayoutContext): Strip {
  const { typeset, width, space } = context;
  const room = width - 44;
  const color = target ? COLORS.accent : COLORS.ink;
  const name = fitText(typeset, title, createTextStyle(SIZES.table, { isBold: kind !== "picture", color }), room);
  // A link inside this file needs no address.
  const address = target?.url && !target.place && target.url !== title ? target.url : "";
  const under = fitText(typeset, address, createTextStyle(SIZES.footer, { color: COLORS.muted }), room);
  const height = address ? 38 : 27;
  return createStrip({
    height,
    before: space + 1,
    after: space + 1,
    base: 17,
    draw: (sheet, left, top) => {
      sheet.strokeBox(left, top, width, height, COLORS.line, 4);
      drawCardIcon(sheet, kind, left + 12, top + height / 2 - 6);
      drawLine(sheet, name, left + 34, top + 17, SIZES.table.size);
      if (address) drawLine(sheet, under, left + 34, top + 29, SIZES.footer.size);
      if (target) sheet.addLink({ left, top, right: left + width, bottom: top + height, target });
    },
  });
}

/** Lays out a file that can be downloaded. */
export function* layOutFile(block: BlockOf<"file">, context: LayoutContext): Generator<Strip> {
  const ref = toReference(getData(block).ref);
  const caption = toPrintableLine(getPlainText(block, MAX_TITLE), MAX_TITLE);
  yield createCard(caption || getReferenceName(ref, context), resolveReferenceTarget(ref, context), "file", context);
}

/** Lays out embedded content, which is linked and never fetched. */
export function* layOutEmbed(block: BlockOf<"embed">, context: LayoutContext): Generator<Strip> {
  const address = readString(getData(block).url);
  const url = sanitizeUrl(address);
  const caption = toPrintableLine(getPlainText(block, MAX_TITLE), MAX_TITLE);
  yield createCard(caption || address, url === undefined ? undefined : { url }, "link", context);
}

/** Lays out a reference to a page. */
export function* layOutContentRef(block: BlockOf<"content-ref">, context: LayoutContext): Generator<Strip> {
  const ref = toReference(getData(block).ref);
  yield createCard(getReferenceName(ref, context), resolveReferenceTarget(ref, context), "link", context);
}

/** Lays out content that several pages share: the content if it is included, or else a link to it. */
export function* layOutReusableContent(block: BlockOf<"reusable-content">, context: LayoutContext): Generator<Strip> {
  const ref = toReference(getData(block).ref);
  const fragments = getFragments(block);
  if (getBlocks(block).length > 0 || getPhrasing(block).length > 0) yield* layOutContent(block, context);
  else if (fragments.length > 0)
    for (const fragment of fragments) yield* context.layOutBlocks(getBlocks(fragment), context);
  else if (getReferenceName(ref, context))
    yield createCard(getReferenceName(ref, context), resolveReferenceTarget(ref, context), "link", context);
}

/** Lays out a block of an integration. Only its name and its link are printed. */
export function* layOutIntegration(block: BlockOf<"integration">, context: LayoutContext): Generator<Strip> {
  const { integration: name, block: kind, url, props } = getData(block);
  const address = sanitizeUrl(readString(url) || readString(toFields(props).url));
  const title = [readString(name), readString(kind)].filter(Boolean).join(" · ");
  yield createCard(title, address === undefined ? undefined : { url: address }, "link", context);
}

function createCard(
  title: string | undefined,
  target: PdfLinkTarget | undefined,
  kind: CardIcon,
  context: LayoutContext,
): Strip {
  const words = toPrintableLine(title ?? "", MAX_TITLE) || target?.url || "…";
  return createLinkCard({ title: words, target, kind }, context);
}

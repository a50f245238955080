// Link cards: files, embedded pages, references to pages, and placeholders for pictures.

import type { BlockOf } from "../../content/document";
import { createStrip, type Strip } from "../flow/strip";
import { MAX_TITLE } from "../limits";
import type { PdfLinkTarget } from "../targets";
import { sanitizeUrl } from "../targets";
import { fitText } from "../text/fit-text";
import { createTextStyle, toPrintableLine } from "../text/runs";
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

interface Card {
  readonly title: string | undefined;
  readonly target?: PdfLinkTarget | undefined;
  readonly kind: CardIcon;
}

/** Creates a card with a title and, for a link out of the file, the URL. */
export function createLinkCard({ title: givenTitle, target, kind }: Card, context: LayoutContext): Strip {
  const title = toPrintableLine(givenTitle ?? "", MAX_TITLE) || target?.url || "…";
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

export const cardLayouts = {
  file(block: BlockOf<"file">, context: LayoutContext): Iterable<Strip> {
    const ref = toReference(getData(block).ref);
    const caption = toPrintableLine(getPlainText(block, MAX_TITLE), MAX_TITLE);
    const [title, target] = [caption || getReferenceName(ref, context), resolveReferenceTarget(ref, context)];
    return [createLinkCard({ title, target, kind: "file" }, context)];
  },

  /** Lays out embedded content, which is linked and never fetched. */
  embed(block: BlockOf<"embed">, context: LayoutContext): Iterable<Strip> {
    const address = readString(getData(block).url);
    const url = sanitizeUrl(address);
    const caption = toPrintableLine(getPlainText(block, MAX_TITLE), MAX_TITLE);
    const target = url === undefined ? undefined : { url };
    return [createLinkCard({ title: caption || address, target, kind: "link" }, context)];
  },

  /** Lays out a reference to a page. */
  "content-ref"(block: BlockOf<"content-ref">, context: LayoutContext): Iterable<Strip> {
    const ref = toReference(getData(block).ref);
    const [title, target] = [getReferenceName(ref, context), resolveReferenceTarget(ref, context)];
    return [createLinkCard({ title, target, kind: "link" }, context)];
  },

  /** Lays out content that several pages share: the content if it is included, or else a link to it. */
  "reusable-content"(block: BlockOf<"reusable-content">, context: LayoutContext): Iterable<Strip> {
    const ref = toReference(getData(block).ref);
    const fragments = getFragments(block);
    if (getBlocks(block).length > 0 || getPhrasing(block).length > 0) return layOutContent(block, context);
    if (fragments.length > 0) return context.layOutBlocks(fragments.flatMap(getBlocks), context);
    const [title, target] = [getReferenceName(ref, context), resolveReferenceTarget(ref, context)];
    return title ? [createLinkCard({ title, target, kind: "link" }, context)] : [];
  },

  /** Lays out a block of an integration. Only its name and its link are printed. */
  integration(block: BlockOf<"integration">, context: LayoutContext): Iterable<Strip> {
    const { integration: name, block: kind, url, props } = getData(block);
    const address = sanitizeUrl(readString(url) || readString(toFields(props).url));
    const title = [readString(name), readString(kind)].filter(Boolean).join(" · ");
    const target = address === undefined ? undefined : { url: address };
    return [createLinkCard({ title, target, kind: "link" }, context)];
  },
};

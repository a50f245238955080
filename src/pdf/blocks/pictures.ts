// Pictures, in their size at screen resolution, but never larger than the page. A picture that cannot be printed is
// replaced by its alternative text.

import type { Block, BlockOf, ContentRef } from "../../content/document";
import { createRow } from "../flow/row";
import { createStrip, moveStrip, type Strip } from "../flow/strip";
import type { PlacedPicture } from "../images/album";
import { MAX_TITLE } from "../limits";
import { toPrintableLine } from "../text/runs";
import { COLORS, SIZES, TEXT_HEIGHT } from "../theme";
import { createLinkCard } from "./cards";
import { findChildren, replaceOuterSpace } from "./containers";
import { getBaseStyle, toInlineItems } from "./inline-items";
import { createInnerContext, getReferenceName, type LayoutContext, resolveReferenceTarget } from "./layout-context";
import { layOutParagraph } from "./paragraphs";
import { getBlocks, getData, getFragments, getPhrasing, readString, toReference } from "./read-document";

/** The points of a pixel. */
const PIXEL = 0.75;

/** Pictures higher than this fraction of a sheet are scaled down. */
const HIGHEST = 0.72;

/** The maximum number of pictures in a row. */
const BESIDE = 4;

export const pictureLayouts = {
  *images(block: BlockOf<"images">, context: LayoutContext): Generator<Strip> {
    const all = findChildren(block, "image");
    const { align } = getData(block);
    const around = context.space + 2;
    if (all.length < 2 || all.length > BESIDE) {
      for (const image of all) yield* replaceOuterSpace(layOutPicture(image, context, align), around, around);
      return;
    }
    const width = (context.width - 12 * (all.length - 1)) / all.length;
    const cells = all.map((image, at) => ({
      left: at * (width + 12),
      strips: layOutPicture(image, createInnerContext(context, 0, context.width - width), align),
    }));
    yield createRow(cells, { before: around, after: around, maxUnsplitHeight: TEXT_HEIGHT });
  },

  image(block: BlockOf<"image">, context: LayoutContext): Iterable<Strip> {
    return replaceOuterSpace(layOutPicture(block, context, undefined), context.space + 2, context.space + 2);
  },

  drawing(block: BlockOf<"drawing">, context: LayoutContext): Iterable<Strip> {
    const { width, space } = context;
    const ref = toReference(getData(block).ref);
    const picture = context.album.getPicture(ref);
    if (picture) return [createPictureStrip(picture, getPictureSize(picture, {}, width), width, "center", space + 2)];
    return ref ? [createPictureCard("", ref, context)] : [];
  },
};

function layOutPicture(block: BlockOf<"image">, context: LayoutContext, align: unknown): Strip[] {
  const data = getData(block);
  const ref = toReference(data.ref);
  const picture = context.album.getPicture(ref);
  const caption = layOutCaption(block, context, align);
  if (!picture) return [createPictureCard(readString(data.alt), ref, context), ...caption];
  const size = getPictureSize(picture, data, context.width);
  const strip = createPictureStrip(picture, size, context.width, align ?? "center", 0);
  return [{ ...strip, staysWithNext: caption.length > 0 }, ...caption];
}

export function layOutCaption(block: BlockOf<"image" | "table">, context: LayoutContext, align: unknown): Strip[] {
  const fragment = getFragments(block).find(({ type }) => type === "caption");
  const nodes = [...getBlocks(fragment).flatMap((child: Block) => getPhrasing(child)), ...getPhrasing(fragment)];
  const style = getBaseStyle(context, { size: SIZES.small.size, color: COLORS.muted });
  return layOutParagraph(toInlineItems(nodes, context, style), context, {
    size: SIZES.small,
    align: align ?? "center",
    before: 5,
  });
}

/** Creates a card in place of a picture: its text and its link. */
function createPictureCard(alt: string, ref: ContentRef | undefined, context: LayoutContext): Strip {
  const name = ref?.kind === "file" ? getReferenceName(ref, context) : undefined;
  const title = toPrintableLine(alt, MAX_TITLE) || toPrintableLine(name ?? "", MAX_TITLE) || context.words.picture;
  return createLinkCard({ title, target: resolveReferenceTarget(ref, context), kind: "picture" }, context);
}

export function createPictureStrip(
  picture: PlacedPicture,
  size: { readonly width: number; readonly height: number },
  room: number,
  align: unknown,
  space: number,
): Strip {
  const free = room - size.width;
  const left = align === "end" ? free : align === "start" ? 0 : free / 2;
  const strip = createStrip({
    height: size.height,
    before: space,
    after: space,
    draw: (sheet, x, y) => sheet.drawPicture(picture.resource, x, y, size.width, size.height, picture.orientation),
  });
  return moveStrip(strip, left);
}

export function getPictureSize(
  picture: PlacedPicture,
  wanted: { readonly width?: unknown; readonly height?: unknown },
  room: number,
): { readonly width: number; readonly height: number } {
  const width = parseLength(wanted.width, room);
  const height = parseLength(wanted.height, TEXT_HEIGHT);
  const natural = width ? width / picture.width : height ? height / picture.height : PIXEL;
  const scale = Math.min(natural, room / picture.width, (TEXT_HEIGHT * HIGHEST) / picture.height);
  return { width: picture.width * scale, height: picture.height * scale };
}

/** Parses a length in pixels, or relative to the available space: 300, "300", "300px", "50%". */
function parseLength(wanted: unknown, room: number): number | undefined {
  const [, digits, unit] =
    /^(\d{1,5}(?:\.\d{1,5})?)(%|px)?$/.exec(
      String(wanted ?? "")
        .trim()
        .slice(0, 20),
    ) ?? [];
  if (digits === undefined) return undefined;
  const length = unit === "%" ? (Number(digits) / 100) * room : Number(digits) * PIXEL;
  return length > 0 ? length : undefined;
}

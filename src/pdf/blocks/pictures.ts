// Pictures, in their size at screen resolution, but never larger than the page. A picture that cannot be printed is
// replaced by its text.

import type { Block, BlockOf, ContentRef } from "../../content/document";
import { row } from "../flow/row";
import { moved, type Strip, strip } from "../flow/strip";
import type { PlacedPicture } from "../images/album";
import { MAX_TITLE } from "../limits";
import { COLOURS, SIZES, TEXT_HEIGHT } from "../look";
import { oneLine } from "../text/clean";
import { linkCard } from "./cards";
import { childrenOf, spaced } from "./containers";
import { setParagraph } from "./paragraphs";
import { baseStyle, itemsOf } from "./phrasing";
import { blocksIn, dataOf, fragmentsIn, phrasingIn, refIn, textIn } from "./reading";
import { inside, leadsTo, nameOf, type Setting } from "./setting";

/** Points that a pixel takes. */
const PIXEL = 0.75;

/** Pictures higher than this part of a sheet are made smaller. */
const HIGHEST = 0.72;

/** Pictures that stand beside one another. */
const BESIDE = 4;

/** A block of pictures. */
export function* images(block: BlockOf<"images">, setting: Setting): Generator<Strip> {
  const all = childrenOf(block, "image");
  const { align } = dataOf(block);
  const around = setting.space + 2;
  if (all.length < 2 || all.length > BESIDE) {
    for (const image of all) yield* spaced(setImage(image, setting, align), around, around);
    return;
  }
  const width = (setting.width - 12 * (all.length - 1)) / all.length;
  const cells = all.map((image, at) => ({
    left: at * (width + 12),
    strips: [...setImage(image, inside(setting, 0, setting.width - width), align)],
  }));
  yield row(cells, { before: around, after: around, whole: TEXT_HEIGHT });
}

/** A picture that stands alone. */
export function* image(block: BlockOf<"image">, setting: Setting): Generator<Strip> {
  yield* spaced(setImage(block, setting, undefined), setting.space + 2, setting.space + 2);
}

/** A drawing: the picture that was made of it, if there is one. */
export function* drawing(block: BlockOf<"drawing">, setting: Setting): Generator<Strip> {
  const ref = refIn(dataOf(block).ref);
  const picture = setting.album.picture(ref);
  if (picture)
    yield pictureStrip(picture, sizeOf(picture, {}, setting.width), setting.width, "center", setting.space + 2);
  else if (ref) yield* missing("", ref, setting);
}

function* setImage(block: BlockOf<"image">, setting: Setting, align: unknown): Generator<Strip> {
  const data = dataOf(block);
  const ref = refIn(data.ref);
  const picture = setting.album.picture(ref);
  const caption = captionOf(block, setting, align);
  if (!picture) yield* missing(textIn(data.alt), ref, setting);
  else {
    const it = pictureStrip(picture, sizeOf(picture, data, setting.width), setting.width, align ?? "center", 0);
    yield caption.length > 0 ? { ...it, staysWithNext: true } : it;
  }
  yield* caption;
}

/** The caption of a picture or a table. */
export function captionOf(block: BlockOf<"image" | "table">, setting: Setting, align: unknown): Strip[] {
  const fragment = fragmentsIn(block).find(({ type }) => type === "caption");
  const nodes = [...blocksIn(fragment).flatMap((child: Block) => phrasingIn(child)), ...phrasingIn(fragment)];
  const style = baseStyle(setting, { size: SIZES.small.size, colour: COLOURS.muted });
  return setParagraph(itemsOf(nodes, setting, style), setting, {
    size: SIZES.small,
    align: align ?? "center",
    before: 5,
  });
}

/** In place of a picture: what it shows, and where it is. */
function* missing(alt: string, ref: ContentRef | undefined, setting: Setting): Generator<Strip> {
  const name = ref?.kind === "file" ? nameOf(ref, setting) : undefined;
  const title = oneLine(alt, MAX_TITLE) || oneLine(name ?? "", MAX_TITLE) || setting.words.picture;
  yield linkCard({ title, target: leadsTo(ref, setting), kind: "picture" }, setting);
}

/** A picture between the margins. */
export function pictureStrip(
  picture: PlacedPicture,
  size: { readonly width: number; readonly height: number },
  room: number,
  align: unknown,
  space: number,
): Strip {
  const free = room - size.width;
  const left = align === "end" ? free : align === "start" ? 0 : free / 2;
  const it = strip({
    height: size.height,
    before: space,
    after: space,
    draw: (sheet, x, y) => sheet.picture(picture.resource, x, y, size.width, size.height, picture.turn),
  });
  return moved(it, left);
}

/** How large a picture is printed. */
export function sizeOf(
  picture: PlacedPicture,
  wanted: { readonly width?: unknown; readonly height?: unknown },
  room: number,
): { readonly width: number; readonly height: number } {
  const width = lengthOf(wanted.width, room);
  const height = lengthOf(wanted.height, TEXT_HEIGHT);
  const natural = width ? width / picture.width : height ? height / picture.height : PIXEL;
  const scale = Math.min(natural, room / picture.width, (TEXT_HEIGHT * HIGHEST) / picture.height);
  return { width: picture.width * scale, height: picture.height * scale };
}

/** A length in pixels, or as a part of the room: 300, "300", "300px", "50%". */
function lengthOf(wanted: unknown, room: number): number | undefined {
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

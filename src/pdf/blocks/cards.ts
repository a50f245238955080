// Boxes that lead somewhere: files, embedded pages, references to pages, and what stands in for a picture.

import type { BlockOf } from "../../content/document";
import type { Sheet } from "../file/sheet";
import { type Strip, strip } from "../flow/strip";
import { MAX_TITLE } from "../limits";
import { COLOURS, SIZES } from "../look";
import type { Target } from "../targets";
import { safeUrl } from "../targets";
import { oneLine } from "../text/clean";
import { fitted } from "../text/fitted";
import { plain } from "../text/items";
import { setContent } from "./containers";
import { drawLine } from "./paragraphs";
import { blocksIn, dataOf, fieldsOf, fragmentsIn, phrasingIn, plainText, refIn, textIn } from "./reading";
import { leadsTo, nameOf, type Setting } from "./setting";

/** What a box says. */
interface Card {
  readonly title: string;
  readonly target?: Target | undefined;
  readonly kind: "file" | "link" | "picture";
}

/** A box with a title and, if it leads away, the address. */
export function linkCard({ title, target, kind }: Card, setting: Setting): Strip {
  const { typeset, width, space } = setting;
  const room = width - 44;
  const colour = target ? COLOURS.accent : COLOURS.ink;
  const name = fitted(typeset, title, plain(SIZES.table, { isBold: kind !== "picture", colour }), room);
  // A link inside this file needs no address.
  const address = target?.url && !target.place && target.url !== title ? target.url : "";
  const under = fitted(typeset, address, plain(SIZES.footer, { colour: COLOURS.muted }), room);
  const height = address ? 38 : 27;
  return strip({
    height,
    before: space + 1,
    after: space + 1,
    base: 17,
    draw: (sheet, left, top) => {
      sheet.strokeBox(left, top, width, height, COLOURS.line, 4);
      sign(sheet, kind, left + 12, top + height / 2 - 6);
      drawLine(sheet, name, left + 34, top + 17, SIZES.table.size);
      if (address) drawLine(sheet, under, left + 34, top + 29, SIZES.footer.size);
      if (target) sheet.link({ left, top, right: left + width, bottom: top + height, target });
    },
  });
}

function sign(sheet: Sheet, kind: Card["kind"], x: number, y: number): void {
  const colour = COLOURS.muted;
  if (kind === "link") {
    sheet.line(
      [
        [x + 1, y + 6],
        [x + 11, y + 6],
      ],
      colour,
      1.1,
    );
    sheet.line(
      [
        [x + 7, y + 2],
        [x + 11, y + 6],
        [x + 7, y + 10],
      ],
      colour,
      1.1,
    );
  } else if (kind === "file") {
    sheet.line(
      [
        [x + 2, y],
        [x + 7.5, y],
        [x + 10.5, y + 3],
        [x + 10.5, y + 12],
        [x + 2, y + 12],
        [x + 2, y],
      ],
      colour,
      0.9,
    );
    sheet.line(
      [
        [x + 7.5, y],
        [x + 7.5, y + 3],
        [x + 10.5, y + 3],
      ],
      colour,
      0.9,
    );
  } else {
    sheet.strokeBox(x, y + 0.5, 13, 11, colour, 1.5, 0.9);
    sheet.line(
      [
        [x + 1, y + 9.5],
        [x + 4.5, y + 5.5],
        [x + 7, y + 8.5],
        [x + 9, y + 6.5],
        [x + 12, y + 9.5],
      ],
      colour,
      0.9,
    );
  }
}

/** A file that can be downloaded. */
export function* file(block: BlockOf<"file">, setting: Setting): Generator<Strip> {
  const ref = refIn(dataOf(block).ref);
  const caption = oneLine(plainText(block, MAX_TITLE), MAX_TITLE);
  yield card(caption || nameOf(ref, setting), leadsTo(ref, setting), "file", setting);
}

/** Something from elsewhere, which is linked and never fetched. */
export function* embed(block: BlockOf<"embed">, setting: Setting): Generator<Strip> {
  const address = textIn(dataOf(block).url);
  const url = safeUrl(address);
  const caption = oneLine(plainText(block, MAX_TITLE), MAX_TITLE);
  yield card(caption || address, url === undefined ? undefined : { url }, "link", setting);
}

/** A reference to a page. */
export function* contentRef(block: BlockOf<"content-ref">, setting: Setting): Generator<Strip> {
  const ref = refIn(dataOf(block).ref);
  yield card(nameOf(ref, setting), leadsTo(ref, setting), "link", setting);
}

/** Content that several pages share: what it says if that was put in, else its name. */
export function* reusableContent(block: BlockOf<"reusable-content">, setting: Setting): Generator<Strip> {
  const ref = refIn(dataOf(block).ref);
  const fragments = fragmentsIn(block);
  if (blocksIn(block).length > 0 || phrasingIn(block).length > 0) yield* setContent(block, setting);
  else if (fragments.length > 0) for (const fragment of fragments) yield* setting.set(blocksIn(fragment), setting);
  else if (nameOf(ref, setting)) yield card(nameOf(ref, setting), leadsTo(ref, setting), "link", setting);
}

/** The content of an integration is not printed; only its name and where it leads. */
export function* integration(block: BlockOf<"integration">, setting: Setting): Generator<Strip> {
  const { integration: name, block: kind, url, props } = dataOf(block);
  const address = safeUrl(textIn(url) || textIn(fieldsOf(props).url));
  const title = [textIn(name), textIn(kind)].filter(Boolean).join(" · ");
  yield card(title, address === undefined ? undefined : { url: address }, "link", setting);
}

function card(title: string | undefined, target: Target | undefined, kind: Card["kind"], setting: Setting): Strip {
  const words = oneLine(title ?? "", MAX_TITLE) || target?.url || "…";
  return linkCard({ title: words, target, kind }, setting);
}

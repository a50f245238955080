// A page of the content: its head, its blocks and its notes. A group of pages has no head of its own; it is named above the
// first page in it.

import type { PrintedPage } from "../content/print-job";
import { setBlocks } from "./blocks";
import { spaced } from "./blocks/containers";
import { noteAnchor } from "./blocks/notes";
import { drawLine, setParagraph } from "./blocks/paragraphs";
import { blocksIn } from "./blocks/reading";
import { inside, type Setting } from "./blocks/setting";
import type { Sheet } from "./file/sheet";
import { gap, marked, moved, type Strip, strip } from "./flow/strip";
import { MAX_TITLE } from "./limits";
import { COLOURS, SIZES } from "./look";
import { targetPlace } from "./targets";
import { oneLine, printable } from "./text/clean";
import { fitted } from "./text/fitted";
import { plain } from "./text/items";
import { widthOf } from "./text/lines";
import { setRuns } from "./text/runs";

/** A page or a group with the depth and the title that it is printed with. */
export interface Titled {
  readonly id: string;
  readonly title: string;
  readonly depth: number;
}

/** What stands above a page. */
export interface Above {
  /** The titles of what it is in, outermost first. */
  readonly path: readonly string[];
  /** The groups that begin with it. */
  readonly groups: readonly Titled[];
}

/** Depths beyond this are printed as this one. */
const DEEPEST = 12;

/** The title and the depth of a page. */
export function titled({ id, title, depth }: PrintedPage): Titled {
  const level = Number.isFinite(depth) ? Math.min(Math.max(Math.trunc(depth), 0), DEEPEST) : 0;
  return { id, title: oneLine(String(title), MAX_TITLE) || "–", depth: level };
}

/** Sets a page. */
export function* setPage(page: PrintedPage, it: Titled, above: Above, setting: Setting): Generator<Strip> {
  yield* setHead(it, printable(page.description ?? "").trim(), above, setting);
  yield* setBlocks(blocksIn(page.document), setting);
  yield* setNotes(setting);
}

function* setHead(it: Titled, description: string, { path, groups }: Above, setting: Setting): Generator<Strip> {
  const mark = (sheet: Sheet, _: number, top: number) => {
    for (const { id, title, depth } of [...groups, it]) {
      sheet.place(targetPlace(id), top);
      sheet.bookmark({ title, level: depth, isPage: true, top });
    }
  };
  const eyebrow = path.length > 0 ? [eyebrowStrip(path.join("  ›  "), setting)] : [];
  const title = setParagraph([{ text: it.title, style: plain(SIZES.pageTitle, { isBold: true }) }], setting, {
    size: SIZES.pageTitle,
    after: 8,
    staysWithNext: true,
  });
  const style = plain(SIZES.description, { colour: COLOURS.muted });
  const words = setParagraph([{ text: description, style }], setting, {
    size: SIZES.description,
    after: 10,
    staysWithNext: true,
  });
  const strips = [...eyebrow, ...title, ...words];
  yield marked(strips[0]!, mark);
  yield* strips.slice(1);
  yield gap(1, { after: 5, staysWithNext: true });
}

function eyebrowStrip(text: string, { typeset, width }: Setting): Strip {
  const runs = fitted(typeset, text, plain(SIZES.small, { colour: COLOURS.accent, isBold: true }), width);
  return strip({
    height: 18,
    staysWithNext: true,
    draw: (sheet, left, top) => drawLine(sheet, runs, left, top + 10, SIZES.small.size),
  });
}

/** The notes that the page's text refers to. */
function* setNotes(setting: Setting): Generator<Strip> {
  const indent = 20;
  const inner = inside(setting, indent, 0, { size: SIZES.small, space: 3, colour: COLOURS.muted });
  let isFirst = true;
  for (const { number, body } of setting.notes.all()) {
    const label = setRuns(setting.typeset, String(number), plain(SIZES.small, { colour: COLOURS.muted }));
    if (isFirst) yield* notesHead(setting);
    isFirst = false;
    let isBegun = false;
    for (const it of spaced(setBlocks(body, inner), 4, 4)) {
      const beside = (sheet: Sheet, left: number, top: number, base: number | undefined) => {
        sheet.place(targetPlace(setting.page.id, noteAnchor(number)), top);
        drawLine(sheet, label, left - 6 - widthOf(label), top + (base ?? 9), SIZES.small.size);
      };
      yield moved(isBegun ? it : marked(it, beside), indent);
      isBegun = true;
    }
  }
}

function* notesHead(setting: Setting): Generator<Strip> {
  yield strip({
    height: 8,
    before: 22,
    staysWithNext: true,
    draw: (sheet, left, top) =>
      sheet.line(
        [
          [left, top],
          [left + 90, top],
        ],
        COLOURS.line,
      ),
  });
  const style = plain(SIZES.small, { isBold: true, colour: COLOURS.muted });
  yield* setParagraph([{ text: setting.words.notes, style }], setting, { size: SIZES.small, staysWithNext: true });
}

// What of a page or a reusable content is translated: its title, its description and the units of its text, as texts with
// marks; and the same put together again from their translations.

import { mayHaveConditions } from "../evaluate/conditions";
import { wordsIn } from "../markdown/reader/words";
import { runStepsSync } from "../markdown/steps";
import { parsePageSource, updatePageSource } from "../page-source";
import { assemble } from "./assembling";
import { type Cut, cut, isWorthwhile, type Unit } from "./cutting";
import { fromMarks, withMarks, withMarksOf } from "./marks";
import { type Piece, wordsAndVariables, wordsOf } from "./pieces";
import { written } from "./writing";

/** The words of a page. */
export interface Sheet {
  readonly title: string;
  readonly description?: string | undefined;
  /** Markdown with its front matter; groups and links have none. */
  readonly text?: string | undefined;
}

/** The longest title, in characters. */
const MAX_TITLE = 255;
const MAX_DESCRIPTION = 1000;

/** A sheet that is taken apart. */
export interface Opened {
  /** What is to be translated, by number; what needs no translation is left out. */
  readonly texts: ReadonlyMap<number, string>;
  /** Words among the texts with these numbers. */
  words(numbers: Iterable<number>): number;
  /** Whether a translation of a text has all of its marks. */
  accepts(number: number, translation: string): boolean;
  /** Translations that an earlier sheet of the same form had for the same texts. */
  remembered(earlier: Sheet, translated: Sheet): ReadonlyMap<number, string>;
  /** The sheet with translations in it, and how many of them could not be put back. */
  translated(translations: ReadonlyMap<number, string>): { readonly sheet: Sheet; readonly kept: number };
}

/** Takes a sheet apart. */
export function openSheet(sheet: Sheet): Opened {
  const parts = partsOf(sheet);
  const worthwhile = [...parts.units.entries()].filter(([, unit]) => isWorthwhile(unit));
  const texts = new Map(worthwhile.map(([i, { pieces }]) => [i, withMarks(pieces)]));
  const piecesFrom = (number: number, text: string) => fromMarks(text, parts.units[number]!.pieces);
  return {
    texts,
    words: (numbers) =>
      [...numbers].reduce((sum, i) => sum + runStepsSync(wordsIn(wordsOf(parts.units[i]!.pieces))), 0),
    accepts: (number, text) => piecesFrom(number, text) !== undefined,
    remembered: (earlier, translated) => remember(texts, parts.units, partsOf(earlier), partsOf(translated)),
    translated: (translations) => put(sheet, parts, translations),
  };
}

interface Parts {
  /** The title and the description, unless they are part of the text or there is none, then the units of the text, and
   * then what stands inside of something else. */
  readonly units: readonly Pick<Unit, "pieces" | "place">[];
  /** Where the title and the description are among them. */
  readonly heads: readonly ("title" | "description")[];
  readonly body: ReturnType<typeof cut> | undefined;
}

function partsOf(sheet: Sheet): Parts {
  const body = sheet.text === undefined ? undefined : cut(sheet.text);
  const heads = (["title", "description"] as const).filter(
    (name) =>
      sheet[name] !== undefined &&
      !mayHaveConditions(sheet[name]) &&
      !(name === "title" && body?.titledBy === "heading"),
  );
  const units = heads.map((name) => ({
    place: "plain" as const,
    pieces: wordsAndVariables(sheet[name]!, sheet[name]!),
  }));
  return { units: [...units, ...(body?.units ?? []), ...(body?.inner ?? [])], heads, body };
}

const longest = { title: MAX_TITLE, description: MAX_DESCRIPTION };

function put(sheet: Sheet, { units, heads, body }: Parts, translations: ReadonlyMap<number, string>) {
  const piecesFrom = (number: number, before: readonly Piece[]) => {
    const text = translations.get(number);
    return text === undefined ? undefined : fromMarks(text, before);
  };
  const said = heads.flatMap((name, i) => {
    const pieces = piecesFrom(i, units[i]!.pieces);
    const text = pieces && [...written(pieces, "plain")].slice(0, longest[name]).join("").trim();
    return text ? [[name, text] as const] : [];
  });
  const stated: { title?: string; description?: string } = Object.fromEntries(said);
  const assembled = body && assembleBody(body, (i, before) => piecesFrom(heads.length + i, before));
  const { title: newTitle, ...inFront } = stated;
  const text = assembled && updatePageSource(assembled.text, body.titledBy === "front matter" ? stated : inFront);
  const title = (body?.titledBy === "heading" ? parsePageSource(text!).title : newTitle) ?? sheet.title;
  const { description = sheet.description } = stated;
  return { sheet: { title, description, text }, kept: assembled?.kept ?? 0 };
}

/** Puts what stands inside of something else into a text, and then the sentences around it. */
function assembleBody(body: Cut, piecesFor: (number: number, before: readonly Piece[]) => Piece[] | undefined) {
  const chosen = (units: readonly Unit[], from: number) =>
    new Map(
      units.flatMap(({ pieces: before }, i) => {
        const pieces = piecesFor(from + i, before);
        return pieces ? [[i, pieces] as const] : [];
      }),
    );
  const inside = assemble(body, chosen(body.inner, body.units.length), "inner");
  const around = inside.text === body.text ? body : cut(inside.text);
  const whole = assemble(around, chosen(around.units, 0));
  return { text: whole.text, kept: inside.kept.size + whole.kept.size };
}

/** Two sheets of one form have the same units in the same order, so those of the one are translations of the other's. */
function remember(
  texts: ReadonlyMap<number, string>,
  units: Parts["units"],
  earlier: Parts,
  translated: Parts,
): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  if (earlier.body?.form !== translated.body?.form || earlier.units.length !== translated.units.length) return found;
  const known = new Map<string, readonly Piece[]>();
  for (const [i, { pieces }] of earlier.units.entries()) {
    const [before, after] = [withMarks(pieces), translated.units[i]!.pieces];
    if (wordsOf(pieces) !== wordsOf(after)) known.set(before, after);
  }
  for (const [number, text] of texts) {
    const pieces = known.get(text);
    const again = pieces && withMarksOf(pieces, units[number]!.pieces);
    if (again !== undefined) found.set(number, again);
  }
  return found;
}

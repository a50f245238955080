// Puts units back into their text. Every byte between them stays. The result is read again, to check that it has the
// same units in the same form and says what the translation says. A unit that cannot be put back like this keeps its
// source.

import { type Cut, cut, type Unit } from "./cutting";
import { formOf, type Piece, wordsOf } from "./pieces";
import { written } from "./writing";

/** A text with its units translated. */
export interface Assembled {
  readonly text: string;
  /** The units that kept their source, because their translation would have changed what is around it. */
  readonly kept: ReadonlySet<number>;
}

/** How often a text is read again until all of its units fit. */
const MAX_READINGS = 100;

/** Puts translations into a text, by the number of their unit, or of what stands inside of something else. */
export function assemble(
  original: Cut,
  translations: ReadonlyMap<number, readonly Piece[]>,
  which: "units" | "inner" = "units",
): Assembled {
  const chosen = new Map(translations);
  for (let readings = 0; chosen.size > 0; readings++) {
    const placed = put(original, chosen, which);
    const wrong = readings === MAX_READINGS ? [...chosen.keys()] : misread(original, chosen, placed, which);
    if (wrong.length === 0) break;
    for (const unit of wrong) chosen.delete(unit);
  }
  const kept = new Set([...translations.keys()].filter((unit) => !chosen.has(unit)));
  return { text: put(original, chosen, which).text, kept };
}

interface Placed {
  readonly text: string;
  /** Where each unit stands now. */
  readonly spans: readonly (readonly [start: number, end: number])[];
}

function put(
  { text, ...cut }: Cut,
  translations: ReadonlyMap<number, readonly Piece[]>,
  which: "units" | "inner",
): Placed {
  const parts: string[] = [];
  const spans: (readonly [number, number])[] = [];
  let [from, length] = [0, 0];
  for (const [i, unit] of cut[which].entries()) {
    const pieces = translations.get(i);
    const between = text.slice(from, unit.start);
    const inside = pieces ? written(pieces, unit.place) : text.slice(unit.start, unit.end);
    parts.push(between, inside);
    spans.push([length + between.length, length + between.length + inside.length]);
    length += between.length + inside.length;
    from = unit.end;
  }
  return { text: parts.join("") + text.slice(from), spans };
}

/** The units that keep a text from reading as the original with these translations in it, and nothing else. */
function misread(
  original: Cut,
  translations: ReadonlyMap<number, readonly Piece[]>,
  { text, spans }: Placed,
  which: "units" | "inner",
): number[] {
  const read = cut(text);
  const isWrong = ({ place, pieces: before }: Unit, i: number) => {
    const [unit, [start, end]] = [read[which][i], spans[i]!];
    if (unit?.place !== place || unit.start !== start || unit.end !== end) return true;
    return formOf(unit.pieces) !== formOf(before) || said(unit.pieces) !== said(translations.get(i) ?? before);
  };
  const wrong = original[which].flatMap((unit, i) => (isWrong(unit, i) ? [i] : []));
  const isWhole =
    read.form === original.form &&
    read.units.length === original.units.length &&
    read.inner.length === original.inner.length &&
    (which === "units" || read.units.every(({ pieces }, i) => said(pieces) === said(original.units[i]!.pieces)));
  const mine = wrong.filter((i) => translations.has(i));
  if (isWhole && mine.length === wrong.length) return mine;
  // The cause is at the first wrong place, or right before it.
  const first = wrong[0] ?? original[which].length;
  return [...translations.keys()]
    .filter((i) => i <= first)
    .sort((a, b) => b - a)
    .slice(0, 1);
}

/** The words that are read, with any space: spaces move out of emphasis, and line endings become spaces. */
function said(pieces: readonly Piece[]): string {
  return wordsOf(pieces).replace(/\s+/g, "");
}

// Inserts translated units into their text. Every byte between them stays. The result is parsed again, to check that it has the same units
// with the same syntax and the words of the translation. A unit that cannot be inserted like this keeps its source.

import { formatPieces } from "./format-pieces";
import { describePieces, getWords, type Piece } from "./pieces";
import { type SegmentedText, segmentText } from "./segment-text";

/** The kind of units of a segmented text. */
type UnitKind = "units" | "innerUnits";

/** A text with translated units. */
export interface TranslatedText {
  readonly text: string;
  /** The units that kept their source, because their translation would have changed the text around them. */
  readonly reverted: ReadonlySet<number>;
}

/** The most times that a text is parsed until all of its units fit. */
const MAX_ATTEMPTS = 100;

/** Inserts translations into a text, by the number of their unit. */
export function insertTranslations(
  original: SegmentedText,
  translations: ReadonlyMap<number, readonly Piece[]>,
  kind: UnitKind = "units",
): TranslatedText {
  const chosen = new Map(translations);
  for (let attempts = 0; chosen.size > 0; attempts++) {
    const misread =
      attempts === MAX_ATTEMPTS
        ? [...chosen.keys()]
        : findMisreadUnits(original, chosen, replaceUnits(original, chosen, kind), kind);
    if (misread.length === 0) break;
    for (const number of misread) chosen.delete(number);
  }
  const reverted = new Set([...translations.keys()].filter((number) => !chosen.has(number)));
  return { text: replaceUnits(original, chosen, kind).text, reverted };
}

interface ReplacedText {
  readonly text: string;
  /** The places of the units. */
  readonly spans: readonly (readonly [start: number, end: number])[];
}

function replaceUnits(
  { text, ...units }: SegmentedText,
  translations: ReadonlyMap<number, readonly Piece[]>,
  kind: UnitKind,
): ReplacedText {
  const parts: string[] = [];
  const spans: (readonly [number, number])[] = [];
  let [position, length] = [0, 0];
  for (const [i, unit] of units[kind].entries()) {
    const pieces = translations.get(i);
    const gap = text.slice(position, unit.start);
    const content = pieces ? formatPieces(pieces, unit.place) : text.slice(unit.start, unit.end);
    parts.push(gap, content);
    spans.push([length + gap.length, length + gap.length + content.length]);
    length += gap.length + content.length;
    position = unit.end;
  }
  return { text: parts.join("") + text.slice(position), spans };
}

/** Returns the units because of which a text is not parsed as the original with these translations. */
function findMisreadUnits(
  original: SegmentedText,
  translations: ReadonlyMap<number, readonly Piece[]>,
  { text, spans }: ReplacedText,
  kind: UnitKind,
): number[] {
  const parsed = segmentText(text);
  const misread: number[] = [];
  for (const [i, { place, pieces }] of original[kind].entries()) {
    const [unit, [start, end]] = [parsed[kind][i], spans[i]!];
    const isSame =
      unit?.place === place &&
      unit.start === start &&
      unit.end === end &&
      describePieces(unit.pieces) === describePieces(pieces) &&
      normalizeWords(unit.pieces) === normalizeWords(translations.get(i) ?? pieces);
    if (!isSame) misread.push(i);
  }
  const isRestSame =
    parsed.structure === original.structure &&
    parsed.units.length === original.units.length &&
    parsed.innerUnits.length === original.innerUnits.length &&
    (kind === "units" ||
      parsed.units.every(({ pieces }, i) => normalizeWords(pieces) === normalizeWords(original.units[i]!.pieces)));
  const misreadTranslations = misread.filter((number) => translations.has(number));
  if (isRestSame && misreadTranslations.length === misread.length) return misreadTranslations;

  // The cause is the translation at the first wrong place, or the last one before it.
  const first = misread[0] ?? original[kind].length;
  return [...translations.keys()]
    .filter((number) => number <= first)
    .sort((a, b) => b - a)
    .slice(0, 1);
}

/** Returns the words of pieces without spaces: spaces move out of emphasis, and line endings become spaces. */
function normalizeWords(pieces: readonly Piece[]): string {
  return getWords(pieces).replace(/\s+/g, "");
}

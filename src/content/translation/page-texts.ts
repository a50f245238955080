// Splits the texts of a page or a reusable content into the texts that are translated: its title, its description and the units of its
// body, as texts with marks. Puts their translations together again.

import { runStepsSync } from "../../utils/concurrency/steps";
import { mayHaveConditions } from "../evaluate/conditions";
import { countWords } from "../markdown/document-parts";
import { parsePageSource, updatePageSource } from "../page-source";
import { formatPieces } from "./format-pieces";
import { formatMarkedText, parseMarkedText, transferMarks } from "./marked-text";
import { describePieces, getWords, type Piece, splitVariables } from "./pieces";
import { type SegmentedText, segmentText, type TranslationUnit } from "./segment-text";

export interface PageTexts {
  readonly title: string;
  readonly description?: string | undefined;
  /** Markdown with its front matter. Groups and links have none. */
  readonly text?: string | undefined;
}

/** The most characters of a title and of a description. */
const MAX_LENGTHS = { title: 255, description: 1000 };

export interface SplitPage {
  /** The texts to translate, by number. Units that need no translation are omitted. */
  readonly texts: ReadonlyMap<number, string>;
  countWords(numbers: Iterable<number>): number;
  hasAllMarks(number: number, translation: string): boolean;
  /** Returns the translations that an earlier page with the same structure had for the same texts. */
  reuseTranslations(earlier: PageTexts, translated: PageTexts): ReadonlyMap<number, string>;
  /** Returns the page with translations, and the number of those that could not be inserted. */
  insertTranslations(translations: ReadonlyMap<number, string>): {
    readonly texts: PageTexts;
    readonly revertedCount: number;
  };
}

export function splitPageTexts(source: PageTexts): SplitPage {
  const parts = createPageParts(source);
  const translatable = [...parts.units.entries()].filter(([, unit]) => {
    // A unit has words to translate if it is more than a URL, a file name, numbers and symbols.
    const words = getWords(unit.pieces).trim();
    // A URL or a file name is one word with a symbol inside that does not end a sentence.
    const isName = !/\s/.test(words) && /[./\\_@]/.test(words.slice(0, -1)) && !/[.!?…。]$/.test(words);
    return /\p{L}/u.test(words) && !isName;
  });
  const texts = new Map(translatable.map(([number, { pieces }]) => [number, formatMarkedText(pieces)]));
  return {
    texts,
    countWords: (numbers) =>
      [...numbers].reduce((sum, number) => sum + runStepsSync(countWords(getWords(parts.units[number]!.pieces))), 0),
    hasAllMarks: (number, text) => parseMarkedText(text, parts.units[number]!.pieces) !== undefined,
    reuseTranslations(earlierSource, translatedSource) {
      // Two pages with the same structure have the same units in the same order, so the units of the translated page are the translations
      // of those of the earlier one.
      const [earlier, translated] = [createPageParts(earlierSource), createPageParts(translatedSource)];
      const reusable = new Map<number, string>();
      const hasSameStructure =
        earlier.body?.structure === translated.body?.structure && earlier.units.length === translated.units.length;
      if (!hasSameStructure) return reusable;

      const known = new Map<string, readonly Piece[]>();
      for (const [i, { pieces }] of earlier.units.entries()) {
        const translatedPieces = translated.units[i]!.pieces;
        if (getWords(pieces) !== getWords(translatedPieces)) known.set(formatMarkedText(pieces), translatedPieces);
      }
      for (const [number, text] of texts) {
        const pieces = known.get(text);
        const translation = pieces && transferMarks(pieces, parts.units[number]!.pieces);
        if (translation !== undefined) reusable.set(number, translation);
      }
      return reusable;
    },
    insertTranslations: (translations) => translateParts(source, parts, translations),
  };
}

interface PageParts {
  /** The fields that are not part of the text, then the units of the text, and then its inner units. */
  readonly units: readonly Pick<TranslationUnit, "pieces" | "place">[];
  /** The fields that are the first units. */
  readonly fields: readonly ("title" | "description")[];
  readonly body: SegmentedText | undefined;
}

function createPageParts(source: PageTexts): PageParts {
  const body = source.text === undefined ? undefined : segmentText(source.text);
  const fields = (["title", "description"] as const).filter((field) => {
    const text = source[field];
    const isInBody = field === "title" && body?.titleSource === "heading";
    return text !== undefined && !mayHaveConditions(text) && !isInBody;
  });
  const fieldUnits = fields.map((field) => ({
    place: "plain" as const,
    pieces: splitVariables(source[field]!, source[field]!),
  }));
  return { units: [...fieldUnits, ...(body?.units ?? []), ...(body?.innerUnits ?? [])], fields, body };
}

function translateParts(
  source: PageTexts,
  { units, fields, body }: PageParts,
  translations: ReadonlyMap<number, string>,
): { texts: PageTexts; revertedCount: number } {
  const parseTranslation = (number: number, original: readonly Piece[]) => {
    const text = translations.get(number);
    return text === undefined ? undefined : parseMarkedText(text, original);
  };

  const translatedFields: { title?: string; description?: string } = {};
  for (const [i, field] of fields.entries()) {
    const pieces = parseTranslation(i, units[i]!.pieces);
    const text = pieces && [...formatPieces(pieces, "plain")].slice(0, MAX_LENGTHS[field]).join("").trim();
    if (text) translatedFields[field] = text;
  }
  const { title: translatedTitle, description = source.description } = translatedFields;
  if (!body)
    return {
      texts: { title: translatedTitle ?? source.title, description, text: undefined },
      revertedCount: 0,
    };

  // The inner units are inserted first, and then the sentences around them.
  const parseUnits = (bodyUnits: readonly TranslationUnit[], firstNumber: number) => {
    const parsed = new Map<number, readonly Piece[]>();
    for (const [i, unit] of bodyUnits.entries()) {
      const pieces = parseTranslation(firstNumber + i, unit.pieces);
      if (pieces) parsed.set(i, pieces);
    }
    return parsed;
  };
  const firstInnerNumber = fields.length + body.units.length;
  const inner = insertTranslations(body, parseUnits(body.innerUnits, firstInnerNumber), "innerUnits");
  const innerBody = inner.text === body.text ? body : segmentText(inner.text);
  const outer = insertTranslations(innerBody, parseUnits(innerBody.units, fields.length));

  const { title: _, ...fieldsWithoutTitle } = translatedFields;
  const isTitleInFrontMatter = body.titleSource === "front matter";
  const text = updatePageSource(outer.text, isTitleInFrontMatter ? translatedFields : fieldsWithoutTitle);
  const newTitle = body.titleSource === "heading" ? parsePageSource(text).title : translatedTitle;
  return {
    texts: { title: newTitle ?? source.title, description, text },
    revertedCount: inner.reverted.size + outer.reverted.size,
  };
}

// Inserts translated units into their text. Every byte between them stays. The result is parsed again, to check that it has the same units
// with the same syntax and the words of the translation. A unit that cannot be inserted like this keeps its source.

type UnitKind = "units" | "innerUnits";

/** The most times that a text is parsed until all of its units fit. */
const MAX_ATTEMPTS = 100;

function insertTranslations(
  original: SegmentedText,
  translations: ReadonlyMap<number, readonly Piece[]>,
  kind: UnitKind = "units",
) {
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

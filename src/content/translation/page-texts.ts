// Splits the texts of a page or a reusable content into the texts that are translated: its title, its description and the units of its
// body, as texts with marks. Puts their translations together again.

import { runStepsSync } from "../../utils/concurrency/steps";
import { mayHaveConditions } from "../evaluate/conditions";
import { countWords } from "../markdown/document-parts";
import { parsePageSource, updatePageSource } from "../page-source";
import { formatPieces } from "./format-pieces";
import { insertTranslations } from "./insert-translations";
import { formatMarkedText, parseMarkedText, transferMarks } from "./marked-text";
import { getWords, type Piece, splitVariables } from "./pieces";
import { type SegmentedText, segmentText, type TranslationUnit } from "./segment-text";

/** The texts of a page. */
export interface PageTexts {
  readonly title: string;
  readonly description?: string | undefined;
  /** Markdown with its front matter. Groups and links have none. */
  readonly text?: string | undefined;
}

/** The most characters of a title and of a description. */
const MAX_LENGTHS = { title: 255, description: 1000 };

/** The texts of a page, split for translation. */
export interface SplitPage {
  /** The texts to translate, by number. Units that need no translation are omitted. */
  readonly texts: ReadonlyMap<number, string>;
  /** Returns the number of words of some texts. */
  countWords(numbers: Iterable<number>): number;
  /** Checks that a translation of a text has all of its marks. */
  hasAllMarks(number: number, translation: string): boolean;
  /** Returns the translations that an earlier page with the same structure had for the same texts. */
  reuseTranslations(earlier: PageTexts, translated: PageTexts): ReadonlyMap<number, string>;
  /** Returns the page with translations, and the number of those that could not be inserted. */
  insertTranslations(translations: ReadonlyMap<number, string>): {
    readonly texts: PageTexts;
    readonly revertedCount: number;
  };
}

/** Splits the texts of a page. */
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

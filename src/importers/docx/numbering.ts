// The lists of a Word document: the list and the level that a paragraph is an item of, and its number there.

import { getElement, listElements, type XmlElement } from "../xml/parse-xml";
import { getXmlValue } from "./styles";

export interface ListPosition {
  /** 0 for the outermost level. */
  readonly level: number;
  readonly isOrdered: boolean;
  /** The id of the list. Items of different lists are never together. */
  readonly list: string;
  readonly number: number;
}

interface ListLevel {
  readonly isOrdered: boolean;
  readonly start: number;
}

/** Word has nine levels. */
const MAX_LIST_LEVEL = 8;
const BULLET_FORMAT = /^(?:bullet|none)$/;

/** The lists of a document. Positions must be taken in the order of the items, because that numbers them. */
export class Numbering {
  /** The levels of each list, by its id. */
  readonly #levels = new Map<string, readonly (ListLevel | undefined)[]>();
  /** The last number of each list, by level. */
  readonly #lastNumbers = new Map<string, (number | undefined)[]>();

  constructor(root: XmlElement | undefined) {
    const templates = new Map<string | undefined, (ListLevel | undefined)[]>();
    for (const template of listElements(root, "w:abstractNum")) {
      const levels: (ListLevel | undefined)[] = [];
      for (const level of listElements(template, "w:lvl"))
        levels[Math.min(MAX_LIST_LEVEL, parseDigits(level.attributes.get("w:ilvl"), 2, 0))] = readLevel(level);
      templates.set(template.attributes.get("w:abstractNumId"), levels);
    }

    for (const list of listElements(root, "w:num")) {
      const levels = [...(templates.get(getXmlValue(list, "w:abstractNumId")) ?? [])];
      for (const override of listElements(list, "w:lvlOverride")) {
        const level = Math.min(MAX_LIST_LEVEL, parseDigits(override.attributes.get("w:ilvl"), 2, 0));
        const start = getXmlValue(override, "w:startOverride");
        const stated = getElement(override, "w:lvl");
        if (stated) levels[level] = readLevel(stated);
        if (start !== undefined)
          levels[level] = { isOrdered: levels[level]?.isOrdered ?? true, start: parseDigits(start, 6, 1) };
      }
      this.#levels.set(list.attributes.get("w:numId") ?? "", levels);
    }
  }

  /** Returns the position of the next item of a list, or undefined if a paragraph is not an item. */
  takePosition(list: string | undefined, writtenLevel: string | undefined): ListPosition | undefined {
    if (list === undefined || list === "0") return undefined;
    const level = Math.min(MAX_LIST_LEVEL, parseDigits(writtenLevel, 2, 0));
    const { isOrdered, start } = this.#levels.get(list)?.[level] ?? { isOrdered: false, start: 1 };
    const numbers = this.#lastNumbers.get(list) ?? [];
    const number = (numbers[level] ?? start - 1) + 1;
    this.#lastNumbers.set(list, [...numbers.slice(0, level), ...Array(Math.max(0, level - numbers.length)), number]);
    return { level, isOrdered, list, number };
  }
}

function readLevel(level: XmlElement): ListLevel {
  const format = getXmlValue(level, "w:numFmt") ?? "decimal";
  return { isOrdered: !BULLET_FORMAT.test(format), start: parseDigits(getXmlValue(level, "w:start"), 6, 1) };
}

/** Parses a number of at most `maxDigits` digits. Returns the default for everything else. */
export function parseDigits(written: string | undefined, maxDigits: number, defaultNumber: number): number {
  return written !== undefined && written.length <= maxDigits && /^\d+$/.test(written)
    ? Number(written)
    : defaultNumber;
}

// The lists of a Word document: the list and the level that a paragraph is an item of, and its number there.

import type { XmlElement } from "../xml/parse-xml";
import { getElement, listElements } from "../xml/xml-elements";
import { getXmlValue } from "./styles";

/** A position in a list. */
export interface ListPosition {
  /** 0 for the outermost level. */
  readonly level: number;
  readonly isOrdered: boolean;
  /** The id of the list. Items of different lists are never together. */
  readonly list: string;
  /** The number of an item in an ordered list. */
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
        levels[parseLevel(level.attributes.get("w:ilvl"))] = readLevel(level);
      templates.set(template.attributes.get("w:abstractNumId"), levels);
    }

    for (const list of listElements(root, "w:num")) {
      const levels = [...(templates.get(getXmlValue(list, "w:abstractNumId")) ?? [])];
      for (const override of listElements(list, "w:lvlOverride")) {
        const level = parseLevel(override.attributes.get("w:ilvl"));
        const start = getXmlValue(override, "w:startOverride");
        const stated = getElement(override, "w:lvl");
        if (stated) levels[level] = readLevel(stated);
        if (start !== undefined)
          levels[level] = { isOrdered: levels[level]?.isOrdered ?? true, start: parseStart(start) };
      }
      this.#levels.set(list.attributes.get("w:numId") ?? "", levels);
    }
  }

  /** Returns the position of the next item of a list, or undefined if a paragraph is not an item. */
  takePosition(list: string | undefined, writtenLevel: string | undefined): ListPosition | undefined {
    if (list === undefined || list === "0") return undefined;
    const level = parseLevel(writtenLevel);
    const { isOrdered, start } = this.#levels.get(list)?.[level] ?? { isOrdered: false, start: 1 };
    const numbers = this.#lastNumbers.get(list) ?? [];
    const number = (numbers[level] ?? start - 1) + 1;
    this.#lastNumbers.set(list, [...numbers.slice(0, level), ...Array(Math.max(0, level - numbers.length)), number]);
    return { level, isOrdered, list, number };
  }
}

function readLevel(level: XmlElement): ListLevel {
  const format = getXmlValue(level, "w:numFmt") ?? "decimal";
  return { isOrdered: !BULLET_FORMAT.test(format), start: parseStart(getXmlValue(level, "w:start") ?? "1") };
}

function parseLevel(written: string | undefined): number {
  return Math.min(MAX_LIST_LEVEL, /^\d{1,2}$/.test(written ?? "") ? Number(written) : 0);
}

function parseStart(written: string): number {
  return /^\d{1,6}$/.test(written) ? Number(written) : 1;
}

// Lists of a Word document: which level of which list a paragraph is an item of, and the number that it has there.

import { elementAt, elementsIn } from "../xml/elements";
import type { XmlElement } from "../xml/xml";
import { valueAt } from "./styles";

/** A place in a list. */
export interface ListPlace {
  /** 0 for the outermost. */
  readonly level: number;
  readonly isOrdered: boolean;
  /** Items of different lists do not stand in one. */
  readonly list: string;
  /** The number of an item in an ordered list. */
  readonly number: number;
}

interface Level {
  readonly isOrdered: boolean;
  readonly start: number;
}

/** Word has nine. */
const MAX_LEVEL = 8;
const BULLETS = /^(?:bullet|none)$/;

/** The lists of a document. Items must be asked for in their order, because that numbers them. */
export class Numbering {
  /** The levels of each list, by its id. */
  readonly #levels = new Map<string, readonly (Level | undefined)[]>();
  /** How far each list has been counted, by level. */
  readonly #counted = new Map<string, (number | undefined)[]>();

  constructor(root: XmlElement | undefined) {
    const templates = new Map(
      elementsIn(root, "w:abstractNum").map((it) => [it.attributes.get("w:abstractNumId"), levelsIn(it)]),
    );
    for (const list of elementsIn(root, "w:num")) {
      const levels = [...(templates.get(valueAt(list, "w:abstractNumId")) ?? [])];
      for (const override of elementsIn(list, "w:lvlOverride")) {
        const level = levelNumber(override.attributes.get("w:ilvl"));
        const start = valueAt(override, "w:startOverride");
        const stated = elementAt(override, "w:lvl");
        if (stated) levels[level] = levelOf(stated);
        if (start !== undefined) levels[level] = { isOrdered: levels[level]?.isOrdered ?? true, start: count(start) };
      }
      this.#levels.set(list.attributes.get("w:numId") ?? "", levels);
    }
  }

  /** The place of the next item with these properties; undefined when it is none of a list. */
  place(list: string | undefined, written: string | undefined): ListPlace | undefined {
    if (list === undefined || list === "0") return undefined;
    const level = levelNumber(written);
    const { isOrdered, start } = this.#levels.get(list)?.[level] ?? { isOrdered: false, start: 1 };
    const counted = this.#counted.get(list) ?? [];
    const number = (counted[level] ?? start - 1) + 1;
    this.#counted.set(list, [...counted.slice(0, level), ...Array(Math.max(0, level - counted.length)), number]);
    return { level, isOrdered, list, number };
  }
}

function levelsIn(template: XmlElement): (Level | undefined)[] {
  const levels: (Level | undefined)[] = [];
  for (const level of elementsIn(template, "w:lvl"))
    levels[levelNumber(level.attributes.get("w:ilvl"))] = levelOf(level);
  return levels;
}

function levelOf(level: XmlElement): Level {
  const format = valueAt(level, "w:numFmt") ?? "decimal";
  return { isOrdered: !BULLETS.test(format), start: count(valueAt(level, "w:start") ?? "1") };
}

function levelNumber(written: string | undefined): number {
  return Math.min(MAX_LEVEL, /^\d{1,2}$/.test(written ?? "") ? Number(written) : 0);
}

function count(written: string): number {
  return /^\d{1,6}$/.test(written) ? Number(written) : 1;
}

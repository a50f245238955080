// The anchors of a page as its entry has them. Most are there by name. The others, which are many and rarely asked for, are
// there by a short hash: what generators call the headings, and the last anchors of a very long page.

import { utf8ToBytes } from "@noble/hashes/utils.js";
import { omitUndefined } from "../../utils/objects";
import { sha256Hex } from "../../utils/sha256";

/** The anchors of a page. */
export interface AnchorEntry {
  readonly anchors: readonly string[];
  /** Further ones, each as a hash and the number of the anchor that it means; left out: none. */
  readonly also?: string;
  /** False: there are more than fit. Every anchor is accepted. */
  readonly isWhole: boolean;
  /** Whether the text includes others, whose anchors are its own as well. */
  readonly hasIncludes?: true;
}

/** The most bytes that the anchors of one page take. */
const MAX_BYTES = 15_000;
/** The length of a hash of 24 bits, and of it with a number of 12. */
const HASH = 4;
const GROUP = 6;
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** Numbers that name no anchor: the beginning of the page, and the asked anchor itself. */
const TOP = 0xffe;
const ITSELF = 0xfff;

/** Anchors as they are stored. `aliases` are others, each with the anchor that it means; "" means the page itself. */
export function createAnchorEntry(
  all: readonly string[],
  aliases: ReadonlyMap<string, string>,
): AnchorEntry | undefined {
  if (all.length + aliases.size === 0) return undefined;
  let room = MAX_BYTES - GROUP * (all.length + aliases.size);
  if (room < 0) return { anchors: [], isWhole: false };
  const numbers = new Map([["", TOP]]);
  for (const anchor of all) {
    room -= utf8ToBytes(anchor).length + 3 - GROUP;
    if (room < 0) break;
    numbers.set(anchor, numbers.size - 1);
  }
  const [, ...anchors] = numbers.keys();
  const groups = [
    ...all.slice(anchors.length).map((anchor) => grouped(anchor, ITSELF)),
    ...Array.from(aliases, ([alias, anchor]) => grouped(alias, numbers.get(anchor) ?? ITSELF)),
  ];
  return { anchors, ...omitUndefined({ also: groups.length === 0 ? undefined : groups.join("") }), isWhole: true };
}

/** Anchors of a text that includes others. */
export function withIncluded(entry: AnchorEntry | undefined): AnchorEntry {
  return { ...(entry ?? { anchors: [], isWhole: true }), hasIncludes: true };
}

/** The anchor that an anchor of a link means: "" for the page itself, and undefined when the page has none of it. */
export function lookUpAnchor(entry: AnchorEntry | undefined, anchor: string): string | undefined {
  if (!entry) return undefined;
  const { anchors, also = "", isWhole } = entry;
  if (!isWhole || anchors.includes(anchor)) return anchor;
  const hash = hashOf(anchor);
  for (let at = 0; at < also.length; at += GROUP) {
    if (!also.startsWith(hash, at)) continue;
    const number = 64 * DIGITS.indexOf(also[at + HASH]!) + DIGITS.indexOf(also[at + HASH + 1]!);
    return number === TOP ? "" : number === ITSELF ? anchor : anchors[number];
  }
  return undefined;
}

function grouped(anchor: string, number: number): string {
  return hashOf(anchor) + inDigits(number, GROUP - HASH);
}

function hashOf(anchor: string): string {
  return inDigits(Number.parseInt(sha256Hex(anchor).slice(0, 6), 16), HASH);
}

function inDigits(number: number, length: number): string {
  return Array.from({ length }, (_, i) => DIGITS[(number >> (6 * (length - 1 - i))) & 63]).join("");
}

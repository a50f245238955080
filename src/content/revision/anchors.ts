// The anchors of a page as its entry stores them. Most are stored by name. Others are many and rarely asked for, so they are
// stored by a short hash: the anchors that site generators give to the headings, and the last anchors of a very long page.

import { utf8ToBytes } from "@noble/hashes/utils.js";
import { omitUndefined } from "../../utils/objects";
import { sha256Hex } from "../../utils/sha256";

export interface AnchorEntry {
  readonly anchors: readonly string[];
  /** Further anchors, each as a hash and the number of the anchor that it means. Default: none. */
  readonly also?: string;
  /** False: there are more anchors than fit, and every anchor is accepted. */
  readonly isWhole: boolean;
  /** The text includes others, whose anchors are its own as well. */
  readonly hasIncludes?: true;
}

/** The most bytes that the anchors of one page take. */
const MAX_ANCHORS_BYTES = 15_000;
/** The number of digits of a hash of 24 bits. */
const HASH_DIGITS = 4;
/** The number of digits of a hash with a number of 12 bits. */
const GROUP_DIGITS = 6;
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** Numbers that name no anchor: the top of the page, and the requested anchor itself. */
const TOP = 0xffe;
const ITSELF = 0xfff;

/**
 * Creates the entry for the anchors of a page, or undefined if it has none. `aliases` maps further anchors to the ones that
 * they mean, where "" means the page itself.
 */
export function createAnchorEntry(
  allAnchors: readonly string[],
  aliases: ReadonlyMap<string, string>,
): AnchorEntry | undefined {
  if (allAnchors.length + aliases.size === 0) return undefined;
  let remainingBytes = MAX_ANCHORS_BYTES - GROUP_DIGITS * (allAnchors.length + aliases.size);
  if (remainingBytes < 0) return { anchors: [], isWhole: false };

  // Store anchors by name until there is no more room, and number them.
  const numbers = new Map([["", TOP]]);
  for (const anchor of allAnchors) {
    remainingBytes -= utf8ToBytes(anchor).length + 3 - GROUP_DIGITS;
    if (remainingBytes < 0) break;
    numbers.set(anchor, numbers.size - 1);
  }
  const [, ...anchors] = numbers.keys();

  const encodeGroup = (anchor: string, number: number) =>
    hashAnchor(anchor) + DIGITS[number >> 6]! + DIGITS[number & 63]!;
  const groups = allAnchors.slice(anchors.length).map((anchor) => encodeGroup(anchor, ITSELF));
  for (const [alias, anchor] of aliases) groups.push(encodeGroup(alias, numbers.get(anchor) ?? ITSELF));
  return { anchors, ...omitUndefined({ also: groups.join("") || undefined }), isWhole: true };
}

/** Returns the anchor that an anchor means: "" is the page itself, undefined if the page does not have it. */
export function lookUpAnchor(entry: AnchorEntry | undefined, anchor: string): string | undefined {
  if (!entry) return undefined;
  const { anchors, also = "", isWhole } = entry;
  if (!isWhole || anchors.includes(anchor)) return anchor;
  const hash = hashAnchor(anchor);
  for (let i = 0; i < also.length; i += GROUP_DIGITS) {
    if (!also.startsWith(hash, i)) continue;
    const number = 64 * DIGITS.indexOf(also[i + HASH_DIGITS]!) + DIGITS.indexOf(also[i + HASH_DIGITS + 1]!);
    return number === TOP ? "" : number === ITSELF ? anchor : anchors[number];
  }
  return undefined;
}

function hashAnchor(anchor: string): string {
  const hash = Number.parseInt(sha256Hex(anchor).slice(0, 6), 16);
  return Array.from({ length: HASH_DIGITS }, (_, i) => DIGITS[(hash >> (6 * (HASH_DIGITS - 1 - i))) & 63]).join("");
}

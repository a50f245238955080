// Merges the bodies of texts block by block, and line by line inside blocks that both sides changed. A merge never tears a block: a
// block whose lines cannot be merged stays as it is in ours. The same applies to blocks that would run into each other.

import type { Steps } from "../../utils/concurrency/steps";
import { parseMarkdownInSteps } from "../markdown/parse";
import { findLineEnding, mergeLines, splitLines } from "./lines";
import { createTextNumbering, findMergeRegions, type ItemRange, type MergeRegion } from "./sequences";
import { hasExpectedStructure } from "./structure";
import {
  keepOurs,
  type MergedText,
  MergedTextBuilder,
  mapVersions,
  mergeTrivially,
  type Versions,
  zipVersions,
} from "./versions";

/** A block, or several blocks on one line. It consists of whole lines with their line endings. */
interface BlockUnit {
  readonly text: string;
  /** The types of the blocks. */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

interface SplitText {
  readonly text: string;
  readonly units: readonly BlockUnit[];
}

/** A part of the result: the merged text of a region, and the units that it should consist of. */
interface MergedPart {
  readonly region: MergeRegion;
  readonly merged: MergedText;
  readonly units: readonly Pick<BlockUnit, "text" | "kind">[];
}

/** Consecutive parts, from the first to the last by their indexes. */
interface PartRange {
  readonly first: number;
  readonly last: number;
}

/** Blocks with more lines are not merged line by line, because parsing them again and again would take too long. */
const MAX_LINES = 10_000;
/** The most repairs of blocks that run into each other. After them, the whole text is one conflict. */
const MAX_REPAIRS = 5;

const PARTS_PER_STEP = 500;

const SIDES = ["base", "ours", "theirs"] as const;

/** Merges bodies. Each ends with a line ending, unless it is empty. */
export function* mergeBlocksInSteps(texts: Versions): Steps<MergedText> {
  const trivialText = mergeTrivially(texts);
  if (trivialText !== undefined) return { text: trivialText, conflicts: [] };
  const blocks = {
    base: yield* splitBlocksInSteps(texts.base),
    ours: yield* splitBlocksInSteps(texts.ours),
    theirs: yield* splitBlocksInSteps(texts.theirs),
  };
  const getNumber = createTextNumbering();
  const { base, ours, theirs } = mapVersions(blocks, ({ units }) => units.map((unit) => getNumber(unit.text)));

  let parts: MergedPart[] = [];
  yield;
  for (const region of findMergeRegions(base, ours, theirs)) {
    // Blocks that nobody changed are separate parts, because the gaps between them may have changed.
    for (const part of region.changedBy === "nobody" ? splitRegion(region) : [region]) {
      parts.push(...(yield* mergeRegionInSteps(blocks, part)));
      if (parts.length % PARTS_PER_STEP === 0) yield;
    }
  }
  for (let repairs = 0; repairs < MAX_REPAIRS; repairs++) {
    yield;
    // Join the parts with the gaps between them.
    const merged = new MergedTextBuilder();
    const starts: number[] = [];
    let last: MergedPart | undefined;
    for (const part of parts) {
      if (part.merged.text !== "") {
        merged.append(mergeGap(blocks, last, part));
        last = part;
      }
      starts.push(merged.text.length);
      merged.append(part.merged);
      if (starts.length % PARTS_PER_STEP === 0) yield;
    }
    merged.append(mergeGap(blocks, last, undefined));
    yield;
    const collisions = yield* findCollisionsInSteps(merged.text, parts, starts);
    if (collisions.length === 0) return merged;
    // Replace the parts of each collision by one part from one of the versions.
    const repaired: MergedPart[] = [];
    let done = 0;
    for (const collision of collisions) {
      // A part that collides alone is joined with its neighbors, with more of them each time.
      const margin = collision.first === collision.last ? 2 ** repairs : 0;
      const firstIndex = Math.max(collision.first - margin, 0);
      const lastIndex = Math.min(collision.last + margin, parts.length - 1);
      while (done < firstIndex) repaired.push(parts[done++]!);
      const firstRegion = firstIndex < done && repaired.length > 0 ? repaired.pop()!.region : parts[firstIndex]!.region;
      const ranges = zipVersions(firstRegion, parts[lastIndex]!.region, (from, to) => {
        return { start: from.start, end: Math.max(from.end, to.end) };
      });
      repaired.push(createUnmergedPart(blocks, { changedBy: "both", ...ranges }));
      done = Math.max(done, lastIndex + 1);
    }
    parts = [...repaired, ...parts.slice(done)];
  }
  return keepOurs(texts);
}

/** Splits a text that ends with a line ending and has no front matter. */
function* splitBlocksInSteps(text: string): Steps<SplitText> {
  const units: BlockUnit[] = [];
  let [start, end, kind] = [0, 0, ""];
  const finishUnit = () => {
    if (end > start) units.push({ text: text.slice(start, end), kind, start, end });
  };
  // After a blank line, nothing is parsed as front matter.
  const { children } = yield* parseMarkdownInSteps(`\n${text}`);
  for (const block of children) {
    const blockStart = block.start - 1;
    let blockEnd = block.end - 1;
    while (blockEnd > 0 && text[blockEnd - 1]!.trim() === "") blockEnd--;

    if (blockStart >= end) {
      finishUnit();
      // The search for the start of the line stops at the last unit, so that many blocks on one line take linear time.
      start = blockStart;
      while (start > end && text[start - 1] !== "\n" && text[start - 1] !== "\r") start--;
      kind = "";
    }
    if (blockEnd > end) {
      end = blockEnd;
      while (end < text.length && text[end] !== "\n" && text[end] !== "\r") end++;
      if (end < text.length) end += text.startsWith("\r\n", end) ? 2 : 1;
    }
    kind += ` ${block.type === "tag" ? `${block.type}:${block.name}` : block.type}`;
  }
  finishUnit();
  return { text, units };
}

/** Returns the text of consecutive units, with the gaps between them. */
function joinUnits({ text, units }: SplitText, { start, end }: ItemRange): string {
  return start === end ? "" : text.slice(units[start]!.start, units[end - 1]!.end);
}

/** Splits a region with equally many blocks in each version into regions of one block. */
function splitRegion({ changedBy, base, ours, theirs }: MergeRegion): MergeRegion[] {
  return Array.from({ length: base.end - base.start }, (_, i) => ({
    changedBy,
    base: { start: base.start + i, end: base.start + i + 1 },
    ours: { start: ours.start + i, end: ours.start + i + 1 },
    theirs: { start: theirs.start + i, end: theirs.start + i + 1 },
  }));
}

function* mergeRegionInSteps(blocks: Versions<SplitText>, region: MergeRegion): Steps<MergedPart[]> {
  if (region.changedBy !== "both") return [createUnmergedPart(blocks, region)];
  const texts = zipVersions(blocks, region, joinUnits);
  if (mergeTrivially(texts) !== undefined) return [createUnmergedPart(blocks, region)];

  // The blocks are merged one by one if all versions have the same number and kinds, and no block replaces another one.
  const units = zipVersions(blocks, region, (split, { start, end }) => split.units.slice(start, end));
  const baseIndexes = new Map(units.base.map(({ text }, i) => [text, i]));
  const isPaired = [units.ours, units.theirs].every(
    (sideUnits) =>
      sideUnits.length === units.base.length &&
      sideUnits.every(({ kind, text }, i) => kind === units.base[i]!.kind && (baseIndexes.get(text) ?? i) === i),
  );
  if (isPaired && units.base.length > 1) {
    const parts: MergedPart[] = [];
    for (const pair of splitRegion(region)) parts.push(...(yield* mergeRegionInSteps(blocks, pair)));
    return parts;
  }

  yield;
  if (Math.max(...Object.values(texts).map((text) => splitLines(text).length)) > MAX_LINES)
    return [createUnmergedPart(blocks, region)];
  const merged = mergeLines(texts);
  // Lines that are those of one side tear no block that this side did not tear.
  const isOneSide = merged.text === texts.ours || (merged.text === texts.theirs && merged.conflicts.length === 0);
  if (!isOneSide && !(yield* hasExpectedStructure(merged, texts))) return [createUnmergedPart(blocks, region)];
  return [{ region, merged, units: (yield* splitBlocksInSteps(merged.text)).units }];
}

/** Takes a region from one version: the changed one if the merge is trivial, else ours with a conflict. */
function createUnmergedPart(blocks: Versions<SplitText>, region: MergeRegion): MergedPart {
  const texts = zipVersions(blocks, region, joinUnits);
  const text = mergeTrivially(texts);
  const side = SIDES.find((side) => texts[side] === (text ?? texts.ours))!;
  return {
    region,
    merged: text === undefined ? keepOurs(texts) : { text, conflicts: [] },
    units: blocks[side].units.slice(region[side].start, region[side].end),
  };
}

/**
 * Returns the gap between two parts, before the first or after the last. It comes from the versions in which the two are neighbors.
 * If both sides changed it, the longer one counts. New neighbors get a blank line between them.
 */
function mergeGap(blocks: Versions<SplitText>, last: MergedPart | undefined, next: MergedPart | undefined): string {
  const [base, ours, theirs] = SIDES.map((side) => {
    const before = last?.region[side] ?? { start: -1, end: 0 };
    const { text, units } = blocks[side];
    const after = next?.region[side] ?? { start: units.length, end: Number.POSITIVE_INFINITY };
    const areNeighbors = before.end === after.start && before.start < before.end && after.start < after.end;
    if (!areNeighbors) return undefined;
    return text.slice(units[after.start - 1]?.end ?? 0, units[after.start]?.start ?? text.length);
  });
  if (ours === undefined && theirs === undefined)
    return base ?? (last && next ? findLineEnding(last.merged.text.slice(-2)) : "");
  if (ours === undefined || theirs === undefined) return (ours ?? theirs)!;
  const longer = ours.length > theirs.length || (ours.length === theirs.length && ours > theirs) ? ours : theirs;
  return base === undefined ? longer : (mergeTrivially({ base, ours, theirs }) ?? longer);
}

/** Returns the parts whose text is not parsed as the units that they should consist of. */
function* findCollisionsInSteps(
  text: string,
  parts: readonly MergedPart[],
  starts: readonly number[],
): Steps<PartRange[]> {
  const expected = parts.flatMap(({ units, merged }, part) => {
    let position = 0;
    return units.map((unit) => {
      const start = merged.text.indexOf(unit.text, position);
      position = start + unit.text.length;
      return { part, kind: unit.kind, start: starts[part]! + start, end: starts[part]! + position };
    });
  });
  const { units: actual } = yield* splitBlocksInSteps(text);

  const collisions: PartRange[] = [];
  let [i, j] = [0, 0];
  while (i < expected.length || j < actual.length) {
    const [one, other] = [expected[i], actual[j]];
    if (one && other && one.start === other.start && one.end === other.end && one.kind === other.kind) {
      i++;
      j++;
      continue;
    }
    // The collision ends where a unit of both lists ends.
    const first = i;
    let [expectedEnd, actualEnd] = [expected[i++]?.end ?? 0, actual[j++]?.end ?? 0];
    while (expectedEnd !== actualEnd && (i < expected.length || j < actual.length)) {
      if ((expectedEnd < actualEnd && i < expected.length) || j >= actual.length) expectedEnd = expected[i++]!.end;
      else actualEnd = actual[j++]!.end;
    }
    collisions.push({
      first: expected[first]?.part ?? parts.length - 1,
      last: expected[i - 1]?.part ?? parts.length - 1,
    });
  }
  return collisions;
}

// Merges the bodies of texts block by block, and line by line inside blocks that both sides changed. A block is never
// torn. If its lines cannot be merged, it stays as it is in ours. The same holds for blocks that would run into each
// other.

import type { Steps } from "../markdown/steps";
import { createTextNumbering, type Region, regionsOf } from "./sequences";
import { type Blocks, blocksOf, countLines, endingIn, gapBefore, textBetween, type Unit } from "./split-blocks";
import { isSound } from "./structure";
import { agreed, each, eachInSteps, kept, type MergedText, mergeLines, Pieces, type Versions } from "./versions";

/** A part of the result: the outcome for a region of the three texts. */
interface Part {
  readonly region: Region;
  readonly merged: MergedText;
  readonly units: readonly Pick<Unit, "text" | "kind">[];
}

/** Blocks with more lines are not merged line by line, because reading them again and again would take too long. */
const MAX_LINES = 10_000;
/** How often blocks that run into each other are repaired one by one; then the whole is one conflict. */
const MAX_REPAIRS = 5;

/** How many parts are worked out in one step. */
const STEP = 500;

const sides = ["base", "ours", "theirs"] as const;

/** Merges bodies. Each ends with a line ending, unless it is empty. */
export function* mergeBlocks(texts: Versions): Steps<MergedText> {
  const whole = agreed(texts);
  if (whole !== undefined) return { text: whole, conflicts: [] };
  const blocks = yield* eachInSteps(texts, blocksOf);
  const numberOf = createTextNumbering();
  const { base, ours, theirs } = each(blocks, ({ units }) => units.map((unit) => numberOf(unit.text)));
  let parts: Part[] = [];
  yield;
  for (const region of regionsOf(base, ours, theirs).flatMap(oneByOne)) {
    parts.push(...(yield* partsOf(blocks, region)));
    if (parts.length % STEP === 0) yield;
  }
  for (let repairs = 0; repairs < MAX_REPAIRS; repairs++) {
    yield;
    const { merged, starts } = yield* assembled(blocks, parts);
    yield;
    const wrong = yield* collisions(merged.text, parts, starts);
    if (wrong.length === 0) return merged;
    parts = repaired(blocks, parts, wrong, 2 ** repairs);
  }
  return kept(texts);
}

/** Blocks that nobody changed are parts of their own, because the space between them may have changed. */
function oneByOne(region: Region): Region[] {
  if (region.changedBy !== "nobody") return [region];
  return Array.from({ length: region.base.end - region.base.start }, (_, i) => ({
    changedBy: "nobody",
    base: { start: region.base.start + i, end: region.base.start + i + 1 },
    ours: { start: region.ours.start + i, end: region.ours.start + i + 1 },
    theirs: { start: region.theirs.start + i, end: region.theirs.start + i + 1 },
  }));
}

function textsIn(blocks: Versions<Blocks>, region: Region): Versions {
  const text = (side: keyof Versions) => textBetween(blocks[side], region[side].start, region[side].end);
  return { base: text("base"), ours: text("ours"), theirs: text("theirs") };
}

function* partsOf(blocks: Versions<Blocks>, region: Region): Steps<Part[]> {
  if (region.changedBy !== "both") return [plainPart(blocks, region)];
  const texts = textsIn(blocks, region);
  if (agreed(texts) !== undefined) return [plainPart(blocks, region)];
  const pairs = paired(blocks, region);
  if (pairs.length > 1) {
    const parts: Part[] = [];
    for (const pair of pairs) parts.push(...(yield* partsOf(blocks, pair)));
    return parts;
  }
  yield;
  const merged = Math.max(...Object.values(texts).map(countLines)) <= MAX_LINES ? mergeLines(texts) : undefined;
  if (!merged || !(isOneOf(texts, merged) || (yield* isSound(merged, texts)))) return [plainPart(blocks, region)];
  return [{ region, merged, units: (yield* blocksOf(merged.text)).units }];
}

/** Whether the lines are those of one side: then no block is torn that was not torn there. */
function isOneOf({ ours, theirs }: Versions, { text, conflicts }: MergedText): boolean {
  return text === ours || (text === theirs && conflicts.length === 0);
}

/** The blocks of a region one by one, if all versions have the same number and kinds, and none replaces another. */
function paired(blocks: Versions<Blocks>, region: Region): Region[] {
  const [base, ...others] = sides.map((side) => blocks[side].units.slice(region[side].start, region[side].end));
  const places = new Map(base!.map(({ text }, i) => [text, i]));
  const isPaired = others.every(
    (units) =>
      units.length === base!.length &&
      units.every(({ kind, text }, i) => kind === base![i]!.kind && (places.get(text) ?? i) === i),
  );
  return isPaired ? oneByOne({ ...region, changedBy: "nobody" }).map((pair) => ({ ...pair, changedBy: "both" })) : [];
}

/** A region as one version has it: the one with a change, else ours with a conflict. */
function plainPart(blocks: Versions<Blocks>, region: Region): Part {
  const texts = textsIn(blocks, region);
  const text = agreed(texts);
  const side = sides.find((side) => texts[side] === (text ?? texts.ours))!;
  return {
    region,
    merged: text === undefined ? kept(texts) : { text, conflicts: [] },
    units: blocks[side].units.slice(region[side].start, region[side].end),
  };
}

/** The parts one after another, and where each begins. */
function* assembled(blocks: Versions<Blocks>, parts: readonly Part[]): Steps<{ merged: Pieces; starts: number[] }> {
  const merged = new Pieces();
  let last: Part | undefined;
  const starts: number[] = [];
  for (const part of parts) {
    if (part.merged.text !== "") {
      merged.add(gapBetween(blocks, last, part));
      last = part;
    }
    starts.push(merged.text.length);
    merged.add(part.merged);
    if (starts.length % STEP === 0) yield;
  }
  merged.add(gapBetween(blocks, last, undefined));
  return { merged, starts };
}

/** What stands between two parts, or before the first or after the last. It is taken from the versions in which both
 * are neighbours. If both sides changed it, the longer one is taken. New neighbours get an empty line between them. */
function gapBetween(blocks: Versions<Blocks>, last: Part | undefined, next: Part | undefined): string {
  const gapIn = (side: keyof Versions) => {
    const before = last?.region[side] ?? { start: -1, end: 0 };
    const after = next?.region[side] ?? { start: blocks[side].units.length, end: Number.POSITIVE_INFINITY };
    const isTogether = before.end === after.start && before.start < before.end && after.start < after.end;
    return isTogether ? gapBefore(blocks[side], after.start) : undefined;
  };
  const [base, ours, theirs] = [gapIn("base"), gapIn("ours"), gapIn("theirs")];
  if (ours === undefined && theirs === undefined)
    return base ?? (last && next ? endingIn(last.merged.text.slice(-2)) : "");
  if (ours === undefined || theirs === undefined) return (ours ?? theirs)!;
  const longer = ours.length > theirs.length || (ours.length === theirs.length && ours > theirs) ? ours : theirs;
  return base === undefined ? longer : (agreed({ base, ours, theirs }) ?? longer);
}

/** Ranges of parts that are not read back as the blocks that they should be. */
function* collisions(
  text: string,
  parts: readonly Part[],
  starts: readonly number[],
): Steps<{ from: number; to: number }[]> {
  const meant = parts.flatMap(({ units }, part) => {
    let at = 0;
    return units.map((unit) => {
      const start = starts[part]! + parts[part]!.merged.text.indexOf(unit.text, at);
      at = start - starts[part]! + unit.text.length;
      return { part, kind: unit.kind, start, end: start + unit.text.length };
    });
  });
  const found: { from: number; to: number }[] = [];
  const { units } = yield* blocksOf(text);
  let [i, j] = [0, 0];
  while (i < meant.length || j < units.length) {
    const [first, other] = [meant[i], units[j]];
    if (first && other && first.start === other.start && first.end === other.end && first.kind === other.kind) {
      i++;
      j++;
      continue;
    }
    const from = i;
    let [end, otherEnd] = [meant[i++]?.end ?? 0, units[j++]?.end ?? 0];
    while (end !== otherEnd && (i < meant.length || j < units.length)) {
      if ((end < otherEnd && i < meant.length) || j >= units.length) end = meant[i++]!.end;
      else otherEnd = units[j++]!.end;
    }
    found.push({ from: meant[from]?.part ?? parts.length - 1, to: meant[i - 1]?.part ?? parts.length - 1 });
  }
  return found;
}

/** The parts with colliding ones joined into one part, taken from one of the versions. */
function repaired(
  blocks: Versions<Blocks>,
  parts: readonly Part[],
  wrong: readonly { readonly from: number; readonly to: number }[],
  reach: number,
): Part[] {
  const result: Part[] = [];
  let done = 0;
  for (const { from, to } of wrong) {
    // A part that is not read back correctly is joined with its neighbours, with more of them each time.
    const [start, end] = from === to ? [from - reach, to + reach] : [from, to];
    const [first, last] = [Math.max(start, 0), Math.min(end, parts.length - 1)];
    while (done < first) result.push(parts[done++]!);
    const begin = first < done && result.length > 0 ? result.pop()!.region : parts[first]!.region;
    result.push(plainPart(blocks, joined(begin, parts[last]!.region)));
    done = Math.max(done, last + 1);
  }
  return [...result, ...parts.slice(done)];
}

function joined(first: Region, last: Region): Region {
  const from = (side: keyof Versions) => ({
    start: first[side].start,
    end: Math.max(first[side].end, last[side].end),
  });
  return { changedBy: "both", base: from("base"), ours: from("ours"), theirs: from("theirs") };
}

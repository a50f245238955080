// Front matter merged name by name. Both sides may add names of their own in one place: that is not a conflict.

import { parsePageSource } from "../page-source";
import { createTextNumbering, regionsOf, type Stretch } from "./sequences";
import { frontEnd, linesOf } from "./split-blocks";
import { agreed, each, kept, type MergedText, mergeLines, Pieces, type Versions } from "./versions";

/** Front matter with the lines of dashes around it; all empty when a text has none. */
interface Front {
  readonly opening: string;
  /** A name with all lines of its value. */
  readonly entries: readonly string[];
  readonly closing: string;
}

/** Merges front matter; a text without it has an empty one. */
export function mergeFrontMatter(versions: Versions): MergedText {
  const whole = agreed(versions);
  if (whole !== undefined) return { text: whole, conflicts: [] };
  const merged = mergeEntries(each(versions, frontOf));
  return isGood(merged.text, versions) ? merged : kept(versions);
}

function mergeEntries(fronts: Versions<Front>): MergedText {
  const numberOf = createTextNumbering();
  const { base, ours, theirs } = each(fronts, ({ entries }) => entries.map(numberOf));
  const inside = new Pieces();
  for (const region of regionsOf(base, ours, theirs)) {
    const entriesIn = (side: keyof Versions, { start, end }: Stretch) => fronts[side].entries.slice(start, end);
    inside.add(
      mergeRegion({
        base: entriesIn("base", region.base),
        ours: entriesIn("ours", region.ours),
        theirs: entriesIn("theirs", region.theirs),
      }),
    );
  }
  const dashes = (side: "opening" | "closing") => {
    const lines = each(fronts, (front) => front[side]);
    const line = agreed(lines) ?? lines.ours;
    if (inside.text !== "") return line || lines.ours || lines.theirs || lines.base;
    return inside.conflicts.length > 0 ? lines.ours : line;
  };
  const merged = new Pieces();
  merged.add(dashes("opening"));
  merged.add(inside);
  merged.add(dashes("closing"));
  return merged;
}

function mergeRegion(entries: Versions<readonly string[]>): MergedText | string {
  const texts = each(entries, (of) => of.join(""));
  const { ours, theirs } = each(entries, (of) => of.map(nameOf));
  const isNew = entries.base.length === 0;
  const isApart = isNew && ours.every((name) => name !== undefined && !theirs.includes(name));
  return agreed(texts) ?? (isApart ? [texts.ours, texts.theirs].sort().join("") : mergeLines(texts));
}

function frontOf(text: string): Front {
  const lines = linesOf(text);
  const [opening = "", closing = ""] = [lines.shift(), lines.pop()];
  const entries: string[] = [];
  for (const line of lines) {
    if (nameOf(line) !== undefined || entries.length === 0) entries.push(line);
    else entries[entries.length - 1] += line;
  }
  return { opening, entries, closing };
}

function nameOf(entry: string): string | undefined {
  return /^["']?([^\s"'#:,[\]{}-][^:\r\n"']*)(?:["'][ \t]*)?:(?:\s|$)/.exec(entry)?.[1];
}

/** Whether the result is still front matter, and can be read as well as before. */
function isGood(text: string, versions: Versions): boolean {
  const issues = each(versions, issuesIn);
  return frontEnd(text) === text.length && issuesIn(text) <= Math.max(issues.base, issues.ours, issues.theirs);
}

function issuesIn(text: string): number {
  return parsePageSource(text).issues.length;
}

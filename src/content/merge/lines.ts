// Merges three versions of a text line by line.

import { createTextNumbering, findMergeRegions } from "./sequences";
import {
  keepOurs,
  type MergedText,
  MergedTextBuilder,
  mapVersions,
  mergeTrivially,
  type Versions,
  zipVersions,
} from "./versions";

/** Merges lines. Where both sides changed the same lines, ours stays and theirs is in a conflict. */
export function mergeLines(versions: Versions): MergedText {
  const lines = mapVersions(versions, splitLines);
  const getNumber = createTextNumbering();
  // Equal lines get equal numbers. Blank lines are equal only after the same words, because they mean nothing by themselves.
  const { base, ours, theirs } = mapVersions(lines, (versionLines) => {
    let lastWords = -1;
    return versionLines.map((line) => {
      if (line.trim() === "") return getNumber(`\n${lastWords} ${line}`);
      lastWords = getNumber(line);
      return lastWords;
    });
  });

  const merged = new MergedTextBuilder();
  for (const region of findMergeRegions(base, ours, theirs)) {
    const texts = zipVersions(lines, region, (all, { start, end }) => all.slice(start, end).join(""));
    merged.append(mergeTrivially(texts) ?? keepOurs(texts));
  }
  return merged;
}

export function splitLines(text: string): string[] {
  return text.match(/[^\r\n]+(?:\r\n?|\n)?|\r\n?|\n/g) ?? [];
}

/** Returns the first line ending of a text. Default: "\n". */
export function findLineEnding(text: string): string {
  return /\r\n?|\n/.exec(text)?.[0] ?? "\n";
}

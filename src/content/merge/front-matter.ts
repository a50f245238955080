// Merges front matter field by field. If both sides add different fields in one place, that is not a conflict.

import { parsePageSource } from "../page-source";
import { findFrontMatter } from "../page-source/find-front-matter";
import { mergeLines, splitLines } from "./lines";
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

/** Merges front matter. The front matter of a text without one is empty. */
export function mergeFrontMatter(versions: Versions): MergedText {
  const trivialText = mergeTrivially(versions);
  if (trivialText !== undefined) return { text: trivialText, conflicts: [] };
  // Each version is split into its delimiter lines and its fields. A field has all lines of its value.
  const parts = mapVersions(versions, (text) => {
    const lines = splitLines(text);
    const [opening = "", closing = ""] = [lines.shift(), lines.pop()];
    const fields: string[] = [];
    for (const line of lines) {
      if (getFieldName(line) !== undefined || fields.length === 0) fields.push(line);
      else fields[fields.length - 1] += line;
    }
    return { opening, fields, closing };
  });

  const getNumber = createTextNumbering();
  const { base, ours, theirs } = mapVersions(parts, ({ fields }) => fields.map(getNumber));
  const content = new MergedTextBuilder();
  for (const region of findMergeRegions(base, ours, theirs)) {
    const fields = zipVersions(parts, region, (part, { start, end }) => part.fields.slice(start, end));
    const texts = mapVersions(fields, (lines) => lines.join(""));
    const theirNames = fields.theirs.map(getFieldName);
    const areOnlyAdditions =
      fields.base.length === 0 &&
      fields.ours.map(getFieldName).every((name) => name !== undefined && !theirNames.includes(name));
    content.append(
      mergeTrivially(texts) ?? (areOnlyAdditions ? [texts.ours, texts.theirs].sort().join("") : mergeLines(texts)),
    );
  }

  const mergeDelimiter = (delimiter: "opening" | "closing") => {
    const lines = mapVersions(parts, (part) => part[delimiter]);
    const line = mergeTrivially(lines) ?? lines.ours;
    if (content.text !== "") return line || lines.ours || lines.theirs || lines.base;
    return content.conflicts.length > 0 ? lines.ours : line;
  };
  const merged = new MergedTextBuilder();
  merged.append(mergeDelimiter("opening"));
  merged.append(content);
  merged.append(mergeDelimiter("closing"));

  // The result must still be front matter, and have no more issues than the worst version.
  const isFrontMatter = (findFrontMatter(merged.text)?.after ?? 0) === merged.text.length;
  const issues = mapVersions(versions, (text) => parsePageSource(text).issues.length);
  const isReadable = parsePageSource(merged.text).issues.length <= Math.max(issues.base, issues.ours, issues.theirs);
  return isFrontMatter && isReadable ? merged : keepOurs(versions);
}

/** Returns the name of the field that begins with a line, if one does. */
function getFieldName(line: string): string | undefined {
  return /^["']?([^\s"'#:,[\]{}-][^:\r\n"']*)(?:["'][ \t]*)?:(?:\s|$)/.exec(line)?.[1];
}

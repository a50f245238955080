// Merges three versions of a page's text: its front matter field by field, its body block by block. Everything that neither side
// changed stays as it is, byte for byte. Where both sides made different changes, ours stays and theirs is in a conflict.

import type { Steps } from "../../utils/concurrency/steps";
import { parsePageSource } from "../page-source";
import { findFrontMatter } from "../page-source/find-front-matter";
import { mergeBlocksInSteps } from "./blocks";
import { findLineEnding, mergeLines, splitLines } from "./lines";
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

/** Merges the changes of both sides to a text. It never throws, whatever the texts are. */
export function* mergeTextsInSteps(texts: Versions): Steps<MergedText> {
  const trivialText = mergeTrivially(texts);
  if (trivialText !== undefined) return { text: trivialText, conflicts: [] };
  // Each version is split into its parts. They always end with a line ending, also if the text does not.
  const parts = mapVersions(texts, (text) => {
    const byteOrderMark = text.startsWith("\ufeff") ? "\ufeff" : "";
    const endsWithLineEnding = text === byteOrderMark || /[\r\n]$/.test(text);
    const content = text.slice(byteOrderMark.length) + (endsWithLineEnding ? "" : findLineEnding(text));
    const bodyStart = findFrontMatter(content)?.after ?? 0;
    const [frontMatter, body] = [content.slice(0, bodyStart), content.slice(bodyStart)];
    return { byteOrderMark, frontMatter, body, endsWithLineEnding };
  });
  const frontMatter = mergeFrontMatter(mapVersions(parts, (part) => part.frontMatter));
  const body = yield* mergeBlocksInSteps(mapVersions(parts, (part) => part.body));
  // The body must not continue the front matter.
  const frontMatterEnd = findFrontMatter(frontMatter.text + body.text)?.after ?? 0;
  if (frontMatterEnd !== frontMatter.text.length) return keepOurs(texts);

  const merged = new MergedTextBuilder();
  merged.append(mergeTrivially(mapVersions(parts, (part) => part.byteOrderMark)) ?? "");
  merged.append(frontMatter);
  merged.append(body);
  const { text, conflicts } = merged;
  if (mergeTrivially(mapVersions(parts, (part) => part.endsWithLineEnding))) return { text, conflicts };

  // The last line ending was removed, or was never there.
  const shorterText = text.replace(/(?:\r\n?|\n)$/, "");
  const shorterConflicts = conflicts.map((conflict) => {
    const start = Math.min(conflict.start, shorterText.length);
    const end = Math.min(conflict.end, shorterText.length);
    return { ...conflict, ours: shorterText.slice(start, end), start, end };
  });
  return { text: shorterText, conflicts: shorterConflicts };
}

/** The name of a field at the start of its first line. */
const FIELD_NAME = /^["']?([^\s"'#:,[\]{}-][^:\r\n"']*)(?:["'][ \t]*)?:(?:\s|$)/;

/** Merges front matter by field. Different new fields in one place do not conflict. No front matter is empty. */
function mergeFrontMatter(versions: Versions): MergedText {
  const trivialText = mergeTrivially(versions);
  if (trivialText !== undefined) return { text: trivialText, conflicts: [] };
  // Each version is split into its delimiter lines and its fields. A field has all lines of its value.
  const parts = mapVersions(versions, (text) => {
    const lines = splitLines(text);
    const [opening = "", closing = ""] = [lines.shift(), lines.pop()];
    const fields: string[] = [];
    for (const line of lines) {
      if (FIELD_NAME.test(line) || fields.length === 0) fields.push(line);
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
    const names = mapVersions(fields, (lines) => lines.map((line) => FIELD_NAME.exec(line)?.[1]));
    const areOnlyAdditions =
      names.base.length === 0 && names.ours.every((name) => name !== undefined && !names.theirs.includes(name));
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

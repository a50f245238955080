// Merges three versions of a page's text: its front matter field by field, its body block by block. Everything that neither side
// changed stays as it is, byte for byte. Where both sides made different changes, ours stays and theirs is in a conflict.

import { runStepsSync, type Steps } from "../../utils/concurrency/steps";
import { findFrontMatter } from "../page-source/find-front-matter";
import { mergeBlocksInSteps } from "./blocks";
import { mergeFrontMatter } from "./front-matter";
import { findLineEnding } from "./lines";
import { keepOurs, type MergedText, MergedTextBuilder, mapVersions, mergeTrivially, type Versions } from "./versions";

/** Merges the changes of both sides to a text. It never throws, whatever the texts are. */
export function mergeTexts(base: string, ours: string, theirs: string): MergedText {
  return runStepsSync(mergeTextsInSteps({ base, ours, theirs }));
}

/** Does the same as `mergeTexts`, in steps. */
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

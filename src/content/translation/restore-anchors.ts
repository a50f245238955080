// Gives the headings of a translated text the anchors of its source, so that links to them still work. A heading whose own words result in
// another anchor states it: `<a href="#set-up" id="set-up"></a>`.

import type { Steps } from "../../utils/concurrency/steps";
import { formatHtmlAttributes } from "../markdown/escape";
import { readDocumentInSteps } from "../markdown/read";
import { applyTextEdits, type TextEdit } from "../text-edits";

/** Returns a translated text with the anchors of its source. It stays as it is if the headings do not match. */
export function* restoreAnchorsInSteps(source: string, translated: string): Steps<string> {
  const { headings: sourceHeadings } = yield* readDocumentInSteps(source);
  const { headings } = yield* readDocumentInSteps(translated);
  if (sourceHeadings.length !== headings.length) return translated;
  const edits = headings.flatMap(({ anchor, end }, i): TextEdit[] => {
    const id = sourceHeadings[i]!.anchor;
    if (anchor === id || end === undefined) return [];
    // Attributes such as `{#id}` stay at the end.
    const attributes =
      /(?<!\s)\s*\{[^{}\n]{0,256}\}\s*$/.exec(translated.slice(Math.max(0, end - 300), end))?.[0] ?? "";
    const position = end - attributes.length;
    return [{ from: position, to: position, text: ` <a ${formatHtmlAttributes({ href: `#${id}`, id })}></a>` }];
  });
  if (edits.length === 0) return translated;

  const restored = applyTextEdits(translated, edits);
  const { headings: restoredHeadings } = yield* readDocumentInSteps(restored);
  const haveSameTexts =
    restoredHeadings.length === headings.length &&
    restoredHeadings.every(({ text }, i) => text.replace(/\s+/g, " ") === headings[i]!.text.replace(/\s+/g, " "));
  return haveSameTexts ? restored : translated;
}

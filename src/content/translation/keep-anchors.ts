// The headings of a translated text have the anchors of its source, so that links to them lead there as before. A heading
// whose own words give another anchor states it: `<a href="#set-up" id="set-up"></a>`.

import { parseInSteps, readDocumentInSteps } from "../markdown/read";
import type { HeadingUse } from "../markdown/reader/reading";
import type { Steps } from "../markdown/steps";
import { attributesOf } from "../markdown/writer/html";
import { applyTextEdits, type TextEdit } from "../text-edits";

/** A translated text whose headings have the anchors of its source. It stays as it is if they do not match. */
export function* withAnchorsOf(source: string, translated: string): Steps<string> {
  const [wanted, given] = [yield* headingsIn(source), yield* headingsIn(translated)];
  if (wanted.length !== given.length) return translated;
  const edits = given.flatMap(({ anchor, end }, i): TextEdit[] => {
    const id = wanted[i]!.anchor;
    if (anchor === id || end === undefined) return [];
    // Attributes such as `{#id}` stay at the end.
    const attributes =
      /(?<!\s)\s*\{[^{}\n]{0,256}\}\s*$/.exec(translated.slice(Math.max(0, end - 300), end))?.[0] ?? "";
    const at = end - attributes.length;
    return [{ from: at, to: at, text: ` <a ${attributesOf({ href: `#${id}`, id })}></a>` }];
  });
  if (edits.length === 0) return translated;
  const stated = applyTextEdits(translated, edits);
  const read = yield* headingsIn(stated);
  const isKept = read.length === given.length && read.every((it, i) => said(it) === said(given[i]!));
  return isKept ? stated : translated;
}

function said({ text }: HeadingUse): string {
  return text.replace(/\s+/g, " ");
}

function* headingsIn(text: string): Steps<readonly HeadingUse[]> {
  return (yield* readDocumentInSteps(text, yield* parseInSteps(text))).headings;
}

// Admonitions, callouts and alerts of all kinds, as hints.

import type { Block, BlockOf } from "../../content/document";
import type { Steps } from "../../utils/concurrency/steps";
import { createParagraph, type ElementReader, enterBlock, type HtmlBlockContext } from "./block-context";
import {
  collapseWhitespace,
  filterElements,
  findElement,
  getAttribute,
  getNames,
  getText,
  hasName,
  toWordSet,
} from "./elements";
import { isNoise } from "./noise";
import type { HtmlElement } from "./parse-html";

type HintStyle = NonNullable<BlockOf<"hint">["data"]>["style"];

const HINTS = toWordSet(`
  admonition themeadmonition alert customblock hintcontainer starlightaside markdownalert notecard
  confluenceinformationmacro callout admonitionblock hint docsalert noticebox messagebox vpcustomblock note-block
`);
const TITLES = toWordSet(`
  admonitiontitle admonitionheading customblocktitle hintcontainertitle starlightasidetitle markdownalerttitle
  callouttitle alertheading alerttitle title confluenceinformationmacrotitle
`);
const STYLES: readonly (readonly [HintStyle, RegExp])[] = [
  ["danger", /danger|error|bug|fail|critical/],
  ["warning", /warn|caution|attention|deprecat/],
  ["success", /tip|success|check|done/],
  ["info", /note|info|important|hint|seealso|abstract|todo|question|example|quote|secondary|primary|details/],
];
/** Titles that only name the kind of hint. */
const GENERIC_TITLES = toWordSet(
  "note info information important tip hint warning caution danger error attention success seealso details",
);

/** Reads a hint, or returns undefined if an element is none. A hint without any words is nothing. Its content is read once. */
export function* readHintInSteps(
  reader: ElementReader,
  element: HtmlElement,
  context: HtmlBlockContext,
): Steps<Block[] | undefined> {
  if (!/^(?:div|aside|section|blockquote|p)$/.test(element.name) || !hasName(element, HINTS)) return undefined;
  // A site may name its whole body `content hint`. So an element is a hint only if it names a style or has a title of a hint.
  const names = [
    ...getNames(element),
    getAttribute(element, "data-type").toLowerCase(),
    getAttribute(element, "data-callout").toLowerCase(),
  ];
  const kinds = names.filter((name) => !HINTS.has(name) || name === "hint").join(" ");
  const [first] = filterElements(element.children.slice(0, 8)).filter(({ name }) => name !== "svg" && name !== "span");
  const title = first && hasName(first, TITLES) ? first : undefined;
  const style = STYLES.find(([, pattern]) => pattern.test(kinds))?.[0] ?? (title ? "info" : undefined);
  if (!style) return undefined;

  // Some sites put the words of a hint into a table, after a picture.
  let container = element;
  if (getNames(element).includes("admonitionblock"))
    container = findElement(element, (each) => each.name === "td" && getNames(each).includes("content")) ?? element;
  const nodes = yield* reader.read(
    container.children.filter((child) => child !== title),
    enterBlock(element, context),
  );

  const titleText = title && !isNoise(title) ? collapseWhitespace(getText(title)) : "";
  const isGeneric = titleText === "" || GENERIC_TITLES.has(titleText.toLowerCase().replace(/[^a-z]/g, ""));
  if (nodes.length === 0 && isGeneric)
    return titleText === "" ? [] : [createParagraph(reader.readLine(title!.children))];
  const bold = [{ object: "mark", type: "bold" }] as const;
  if (!isGeneric) nodes.unshift(createParagraph(reader.readLine(title!.children, bold, true)));
  return [{ object: "block", type: "hint", isVoid: false, data: { style }, nodes }];
}

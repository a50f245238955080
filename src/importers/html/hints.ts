// Admonitions, callouts and alerts of all kinds, as hints.

import type { Block, BlockOf } from "../../content/document";
import type { Steps } from "../../content/markdown/steps";
import { attribute, elementsIn, find, isNamed, namesOf, oneLine, rawText, words } from "./looking";
import { isNoise } from "./noise";
import { type BlockPlace, inner, paragraph, type ReadsBlocks } from "./reading-blocks";
import type { Element } from "./tree";

type Style = NonNullable<BlockOf<"hint">["data"]>["style"];

const HINTS = words(
  "admonition themeadmonition alert customblock hintcontainer starlightaside markdownalert notecard confluenceinformationmacro callout admonitionblock hint docsalert noticebox messagebox vpcustomblock note-block",
);
const TITLES = words(
  "admonitiontitle admonitionheading customblocktitle hintcontainertitle starlightasidetitle markdownalerttitle callouttitle alertheading alerttitle title confluenceinformationmacrotitle",
);
const STYLES: readonly (readonly [Style, RegExp])[] = [
  ["danger", /danger|error|bug|fail|critical/],
  ["warning", /warn|caution|attention|deprecat/],
  ["success", /tip|success|check|done/],
  ["info", /note|info|important|hint|seealso|abstract|todo|question|example|quote|secondary|primary|details/],
];
/** Titles that only say which kind of hint this is. */
const USUAL = words(
  "note info information important tip hint warning caution danger error attention success seealso details",
);

/** A hint, when an element is one; without any words it is nothing. What it holds is read once, whatever comes of it. */
export function* hintOf(reader: ReadsBlocks, element: Element, place: BlockPlace): Steps<Block[] | undefined> {
  const style = styleOf(element);
  if (!style) return undefined;
  const title = titleIn(element);
  const from = contentOf(element);
  const nodes = yield* reader.read(
    from.children.filter((child) => child !== title),
    inner(element, place),
  );
  const heading = title && !isNoise(title) ? oneLine(rawText(title)) : "";
  const isUsual = heading === "" || USUAL.has(heading.toLowerCase().replace(/[^a-z]/g, ""));
  if (nodes.length === 0 && isUsual) return heading === "" ? [] : [paragraph(reader.line(title!.children))];
  const bold = [{ object: "mark", type: "bold" }] as const;
  const all = isUsual ? nodes : [paragraph(reader.line(title!.children, bold, true)), ...nodes];
  return [{ object: "block", type: "hint", isVoid: false, data: { style }, nodes: all }];
}

function styleOf(element: Element): Style | undefined {
  if (!/^(?:div|aside|section|blockquote|p)$/.test(element.name) || !isNamed(element, HINTS)) return undefined;
  // A site may call its whole body `content hint`. So an element is a hint only if it names a style or has the title of
  // one.
  const names = [
    ...namesOf(element),
    attribute(element, "data-type").toLowerCase(),
    attribute(element, "data-callout").toLowerCase(),
  ];
  const kinds = names.filter((name) => !HINTS.has(name) || name === "hint").join(" ");
  return STYLES.find(([, pattern]) => pattern.test(kinds))?.[0] ?? (titleIn(element) ? "info" : undefined);
}

function titleIn(element: Element): Element | undefined {
  const [first] = elementsIn(element.children.slice(0, 8)).filter(({ name }) => name !== "svg" && name !== "span");
  return first && isNamed(first, TITLES) ? first : undefined;
}

/** Some sites put the words of a hint into a table, after a picture. */
function contentOf(element: Element): Element {
  if (!namesOf(element).includes("admonitionblock")) return element;
  return find(element, (each) => each.name === "td" && namesOf(each).includes("content")) ?? element;
}

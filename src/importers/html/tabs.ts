// Tabs, if labels and panels can be told apart and there are equally many of both.

import type { Block, BlockOf } from "../../content/document";
import type { Steps } from "../../content/markdown/steps";
import { attribute, elementsIn, findAll, isNamed, lineOf, words } from "./looking";
import { isPanel } from "./noise";
import { type BlockPlace, inner, type ReadsBlocks } from "./reading-blocks";
import type { Element } from "./tree";

const SETS = words(
  "tabscontainer tabs tabset sdtabset tabbedset vpcodegroup codegroup sphinxtabs codetabs tabgroup tabbed contenttabs themetabs",
);
const ELEMENTS = words("starlight-tabs tab-container tabs-container");

/** Tabs, when an element is a set of them. */
export function* tabsOf(reader: ReadsBlocks, element: Element, place: BlockPlace): Steps<Block | undefined> {
  if (!isNamed(element, SETS) && !ELEMENTS.has(element.name) && !holdsTablist(element)) return undefined;
  // Searching nested ones again and again would take time with their depth.
  if (place.around.filter((each) => isNamed(each, SETS) || holdsTablist(each)).length > 2) return undefined;
  const panels = panelsIn(element);
  const labels = findAll(element, (each) => attribute(each, "role") === "tab" || each.name === "label" || isPanel(each))
    .filter((each) => !isPanel(each))
    .map((label) => lineOf(label).slice(0, 200));
  if (panels.length === 0 || panels.length !== labels.length) return undefined;
  const nodes: BlockOf<"tabs-item">[] = [];
  for (const [i, panel] of panels.entries()) {
    const data = labels[i] === "" ? {} : { title: labels[i]! };
    const inside = yield* reader.inside(panel, inner(panel, place));
    nodes.push({ object: "block", type: "tabs-item", isVoid: false, data, nodes: inside });
  }
  return { object: "block", type: "tabs", isVoid: false, data: {}, nodes };
}

/** What the tabs show, in order. */
function panelsIn(element: Element): Element[] {
  const panels = findAll(element, isPanel);
  if (panels.length > 0) return panels;
  const [blocks] = findAll(element, (each) => isNamed(each, BLOCKS));
  return blocks ? elementsIn(blocks.children) : [];
}

const BLOCKS = words("blocks tabscontent");

function holdsTablist(element: Element): boolean {
  return elementsIn(element.children.slice(0, 6)).some(
    (child) =>
      attribute(child, "role") === "tablist" ||
      elementsIn(child.children.slice(0, 4)).some((each) => attribute(each, "role") === "tablist"),
  );
}

// Tabs, if labels and panels can be told apart and there are as many of one as of the other.

import type { Block, BlockOf } from "../../content/document";
import type { Steps } from "../../utils/concurrency/steps";
import { type ElementReader, enterBlock, type HtmlBlockContext } from "./block-context";
import { filterElements, findElements, getAttribute, getTextLine, hasName, toWordSet } from "./elements";
import { isTabPanel } from "./noise";
import type { HtmlElement } from "./parse-html";

const TAB_SETS = toWordSet(
  "tabscontainer tabs tabset sdtabset tabbedset vpcodegroup codegroup sphinxtabs codetabs tabgroup tabbed contenttabs themetabs",
);
const TAB_ELEMENTS = toWordSet("starlight-tabs tab-container tabs-container");
/** Elements whose children are panels. */
const PANEL_CONTAINERS = toWordSet("blocks tabscontent");

/** Reads a set of tabs, or returns undefined if an element is none. */
export function* readTabsInSteps(
  reader: ElementReader,
  element: HtmlElement,
  context: HtmlBlockContext,
): Steps<Block | undefined> {
  if (!hasName(element, TAB_SETS) && !TAB_ELEMENTS.has(element.name) && !hasTabList(element)) return undefined;
  // Searching nested sets again and again would take time that grows with their depth.
  if (context.ancestors.filter((each) => hasName(each, TAB_SETS) || hasTabList(each)).length > 2) return undefined;

  let panels = findElements(element, isTabPanel);
  if (panels.length === 0) {
    const [container] = findElements(element, (each) => hasName(each, PANEL_CONTAINERS));
    panels = container ? filterElements(container.children) : [];
  }
  const labels = findElements(
    element,
    (each) => getAttribute(each, "role") === "tab" || each.name === "label" || isTabPanel(each),
  )
    .filter((each) => !isTabPanel(each))
    .map((label) => getTextLine(label).slice(0, 200));
  if (panels.length === 0 || panels.length !== labels.length) return undefined;

  const nodes: BlockOf<"tabs-item">[] = [];
  for (const [i, panel] of panels.entries()) {
    const data = labels[i] === "" ? {} : { title: labels[i]! };
    const children = yield* reader.readChildren(panel, enterBlock(panel, context));
    nodes.push({ object: "block", type: "tabs-item", isVoid: false, data, nodes: children });
  }
  return { object: "block", type: "tabs", isVoid: false, data: {}, nodes };
}

function hasTabList(element: HtmlElement): boolean {
  return filterElements(element.children.slice(0, 6)).some(
    (child) =>
      getAttribute(child, "role") === "tablist" ||
      filterElements(child.children.slice(0, 4)).some((each) => getAttribute(each, "role") === "tablist"),
  );
}

// A page that is known by its title and a tree of HTML, as a Markdown file.

import type { Steps } from "../content/markdown/steps";
import { writeInSteps } from "../content/markdown/write";
import { composePageSource } from "../content/page-source";
import { readHtml } from "./html";
import type { AddressOptions } from "./html/addresses";
import type { Element, Node } from "./html/tree";

/** A page's text, step by step. All nodes are content: a heading of the first level among them is one of the body. */
export function* pageText(title: string, nodes: readonly Node[], addresses: AddressOptions): Steps<string> {
  const root = element("", {}, [element("h1", {}, [title]), ...nodes]);
  const { document } = yield* readHtml(root, { ...addresses, whole: true });
  return composePageSource({ title }, yield* writeInSteps(document));
}

/** An element of HTML. */
export function element(name: string, attributes: Readonly<Record<string, string>>, children: Node[] = []): Element {
  return { name, attributes: new Map(Object.entries(attributes)), children };
}

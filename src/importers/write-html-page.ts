// Writes a page of a title and a tree of HTML as a Markdown file.

import { writeInSteps } from "../content/markdown/write";
import { composePageSource } from "../content/page-source";
import type { Steps } from "../utils/concurrency/steps";
import type { PageUrlOptions } from "./html/page-urls";
import type { HtmlElement, HtmlNode } from "./html/parse-html";
import { readHtmlInSteps } from "./html/read-html";

/** Writes the text of a page. All nodes are content: a heading of the first level among them is one of the body. */
export function* writeHtmlPageInSteps(title: string, nodes: readonly HtmlNode[], urls: PageUrlOptions): Steps<string> {
  const root = createElement("", {}, [createElement("h1", {}, [title]), ...nodes]);
  const { document } = yield* readHtmlInSteps(root, { ...urls, isContentOnly: true });
  return composePageSource({ title }, yield* writeInSteps(document));
}

export function createElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: HtmlNode[] = [],
): HtmlElement {
  return { name, attributes: new Map(Object.entries(attributes)), children };
}

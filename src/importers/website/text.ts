// A page that was read, as the text of a page file.

import type { Block, Document } from "../../content/document";
import type { Steps } from "../../content/markdown/steps";
import { writeInSteps } from "../../content/markdown/write";
import { composePageSource } from "../../content/page-source";
import { parseJsonInSteps } from "../../utils/concurrency/json-steps";
import { omitUndefined } from "../../utils/objects";
import { withoutAnchors } from "../html/anchors";
import type { SitePage } from "./page";

/** Names that tools number through: they say nothing, and change with every edition. */
const NUMBERED = /^(?:[a-z_]{0,6}[-_.]?)?\d[\d._-]*$/i;

/**
 * A page's text, step by step, with each address as `link` writes it. Anchors stay, but for those that no link names and that lead to
 * the title, or are only numbers.
 */
export function* sitePageText(
  page: SitePage,
  link: (url: string) => string,
  linked: ReadonlySet<string>,
): Steps<string> {
  const { title, description, titleAnchors } = page;
  const ofTitle = new Set(titleAnchors);
  const isDropped = (id: string) => (ofTitle.has(id) || NUMBERED.test(id)) && !linked.has(id);
  const nodes = yield* withoutAnchors((yield* parseJsonInSteps(yield* page.nodes.read())) as Block[], isDropped);
  const document: Document = { object: "document", data: {}, nodes };
  const body = yield* writeInSteps(document, { href: (ref) => (ref.kind === "url" ? link(ref.url) : "") });
  return composePageSource({ ...omitUndefined({ title, description }) }, body);
}

/** The anchors that links name, without `#` and as they are spelled in the page. */
export function anchorsNamed(links: Iterable<string>): Set<string> {
  return new Set(Array.from(links, (link) => decoded(link.slice(link.indexOf("#") + 1))));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Writes a page of a site as the text of a page file.

import type { Block, Document } from "../../content/document";
import { writeInSteps } from "../../content/markdown/write";
import { composePageSource } from "../../content/page-source";
import { parseJsonInSteps } from "../../utils/concurrency/json-steps";
import type { Steps } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import { removeAnchorsInSteps } from "../html/anchors";
import type { SitePage } from "./site-page";

/** Anchors that tools number. They say nothing, and change with every edition. */
const NUMBERED_ANCHOR = /^(?:[a-z_]{0,6}[-_.]?)?\d[\d._-]*$/i;

/**
 * Writes the text of a page, with each URL as `mapLink` returns it. Anchors that no link names are removed if they lead to the
 * title, or are only numbers.
 */
export function* writeSitePageInSteps(
  page: SitePage,
  mapLink: (url: string) => string,
  linkedAnchors: ReadonlySet<string>,
): Steps<string> {
  const { title, description } = page;
  const titleAnchors = new Set(page.titleAnchors);
  const isRemoved = (id: string) => (titleAnchors.has(id) || NUMBERED_ANCHOR.test(id)) && !linkedAnchors.has(id);
  const blocks = (yield* parseJsonInSteps(yield* page.nodes.readInSteps())) as Block[];
  const nodes = yield* removeAnchorsInSteps(blocks, isRemoved);
  const document: Document = { object: "document", data: {}, nodes };
  const body = yield* writeInSteps(document, { href: (ref) => (ref.kind === "url" ? mapLink(ref.url) : "") });
  return composePageSource(omitUndefined({ title, description }), body);
}

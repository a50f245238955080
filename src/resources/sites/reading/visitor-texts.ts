// The text of a page as one visitor reads it: evaluated, and without the front matter, which is for authors.

import type { Claims } from "../../../content/claims";
import { isAdaptive } from "../../../content/evaluate/conditions";
import { loadMarkdownReader } from "../../../content/lazy";
import { findFrontMatter } from "../../../content/page-source/find-front-matter";
import { keys, type PageEntry } from "../../../content/revision/entries";
import type { RevisionView, WithId } from "../../../content/revision/view";
import type { SearchSection } from "../../../content/search";
import type { Objects } from "../../../storage/objects";
import { runSteps } from "../../../utils/concurrency/event-loop";
import { mayExpandIncludes } from "../../content/revisions/included-files";
import { type EvaluatedText, evaluateText } from "../../content/revisions/texts";
import { type CachedSections, findCachedSections, sectionsOf } from "../../content/search/indexes";

/** The text of a page as it is evaluated for a visitor, front matter included; undefined for a page without a text. */
export async function evaluatePageText(
  objects: Objects,
  view: RevisionView,
  page: WithId<PageEntry>,
  claims: Claims,
): Promise<EvaluatedText | undefined> {
  if (page.body === undefined) return undefined;
  const written = await objects.text(page.body);
  return evaluateText(objects.text, view, { id: page.id, body: page.body, page }, written, claims);
}

/** A text without its front matter. */
export function removeFrontMatter(text: string): string {
  return text.slice(findFrontMatter(text)?.after ?? 0);
}

/** The sections of a page for a visitor, for search and excerpts. */
export async function readPageSections(
  objects: Objects,
  view: RevisionView,
  page: WithId<PageEntry>,
  claims: Claims,
): Promise<readonly SearchSection[]> {
  if (page.body === undefined) return [];
  const cached = findCachedSections(objects, page.body);
  if (cached && !(await mayVary(view, cached))) return cached.sections;
  const written = await objects.text(page.body);
  if (!isAdaptive(written) && !(await mayExpandIncludes(view, written))) return sectionsOf(objects, page.body);
  const { text, root } = (await evaluatePageText(objects, view, page, claims))!;
  const { sectionsInSteps } = await loadMarkdownReader();
  return runSteps(sectionsInSteps(text, root));
}

/** Returns whether readers may see different texts. A text with the syntax of includes is one for all outside of an mdBook. */
async function mayVary(view: RevisionView, { variesBy = [] }: CachedSections): Promise<boolean> {
  if (variesBy.includes("reader")) return true;
  return variesBy.includes("book") && (await view.get(keys.mdBook)) !== undefined;
}

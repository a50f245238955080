// The content of a space as visitors read it: with the computed pages whose sources are public, with texts evaluated for the
// visitor, and without the front matter, which is for authors.

import type { Claims } from "../../../content/claims";
import { findFrontMatter } from "../../../content/page-source/find-front-matter";
import type { PageEntry } from "../../../content/revision/entries";
import type { RevisionView, WithId } from "../../../content/revision/view";
import type { Objects } from "../../../storage/objects";
import {
  type ComputedReadContext,
  getShownContent,
  type ReadableContent,
  type RevisionRoot,
} from "../../content/revisions/computed-content";
import type { SourceContext } from "../../content/revisions/computed-sources";
import { type EvaluatedSourceText, evaluateText } from "../../content/revisions/texts";
import type { OrganizationRecord } from "../../people/organizations/records";

/** The context in which content is read for visitors. */
export interface VisitorContentContext extends SourceContext {
  readonly organization: OrganizationRecord;
}

/**
 * Picks from the context of a handler what reading computed content needs. `peek` is read only when it is called, because
 * using it makes the response uncacheable.
 */
export function pickSourceContext(context: SourceContext): SourceContext {
  const { tx, objects, jobContext } = context;
  return { tx, objects, jobContext, peek: (partition) => context.peek(partition) };
}

/** Returns the context of a reader without membership, whoever the caller is. */
export function asNonMember(context: VisitorContentContext): ComputedReadContext {
  return { ...pickSourceContext(context), organization: context.organization, me: undefined, ownedTeams: 0 };
}

/** Returns a revision as visitors see it. */
export function getVisitorContent(context: VisitorContentContext, revision: RevisionRoot): ReadableContent {
  return getShownContent(asNonMember(context), revision);
}

/** Evaluates the text of a page for a visitor, including its front matter. Returns undefined for a page without text. */
export async function evaluatePageText(
  objects: Objects,
  view: RevisionView,
  page: WithId<PageEntry>,
  claims: Claims,
): Promise<EvaluatedSourceText | undefined> {
  if (page.body === undefined) return undefined;
  const source = await objects.text(page.body);
  return evaluateText(objects.text, view, { id: page.id, body: page.body, page }, source, claims);
}

/** Removes the front matter from the text of a page. */
export function removeFrontMatter(text: string): string {
  return text.slice(findFrontMatter(text)?.after ?? 0);
}

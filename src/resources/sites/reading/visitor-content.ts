// The content of a space for visitors, with the computed pages whose sources are public.

import {
  type ComputedReadContext,
  getShownContent,
  type RevisionRoot,
  type ShownContent,
} from "../../content/revisions/computed-content";
import type { SourceContext } from "../../content/revisions/computed-sources";
import type { OrganizationRecord } from "../../people/organizations/records";

/** What reading content needs. */
export interface ReadingContent extends SourceContext {
  readonly organization: OrganizationRecord;
}

/**
 * The sources of computed content, from what a handler gets. Using `peek` prevents keeping the answer, so it is read
 * only when needed.
 */
export function sourcesIn(reading: SourceContext): SourceContext {
  const { tx, objects, jobContext } = reading;
  return { tx, objects, jobContext, peek: (partition) => reading.peek(partition) };
}

/** A reader without membership, whoever the caller is. */
export function asStranger(reading: ReadingContent): ComputedReadContext {
  return { ...sourcesIn(reading), organization: reading.organization, me: undefined, ownedTeams: 0 };
}

/** A revision as visitors see it. */
export function visitorContent(reading: ReadingContent, revision: RevisionRoot): ShownContent {
  return getShownContent(asStranger(reading), revision);
}

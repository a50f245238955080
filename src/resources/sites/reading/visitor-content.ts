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
export interface VisitorContentContext extends SourceContext {
  readonly organization: OrganizationRecord;
}

/**
 * The sources of computed content, from what a handler gets. Using `peek` prevents keeping the answer, so it is read
 * only when needed.
 */
export function pickSourceContext(reading: SourceContext): SourceContext {
  const { tx, objects, jobContext } = reading;
  return { tx, objects, jobContext, peek: (partition) => reading.peek(partition) };
}

/** A reader without membership, whoever the caller is. */
export function asNonMember(reading: VisitorContentContext): ComputedReadContext {
  return { ...pickSourceContext(reading), organization: reading.organization, me: undefined, ownedTeams: 0 };
}

/** A revision as visitors see it. */
export function getVisitorContent(reading: VisitorContentContext, revision: RevisionRoot): ShownContent {
  return getShownContent(asNonMember(reading), revision);
}

// The content of a space as visitors come upon it: with what is computed from things that everybody may see.

import {
  type ReadingComputed,
  type Shown,
  type ShownRevision,
  shownIn,
} from "../../content/revisions/computed-content";
import type { Sources } from "../../content/revisions/computed-sources";
import type { OrganizationRecord } from "../../people/organizations/records";

/** What there is to read content with. */
export interface ReadingContent extends Sources {
  readonly organization: OrganizationRecord;
}

/** What content is computed from, out of what a handler gets. That it looked elsewhere is noticed, so `peek` is asked for
 * by those alone who use it. */
export function sourcesIn(reading: Sources): Sources {
  const { tx, objects, work } = reading;
  return { tx, objects, work, peek: (partition) => reading.peek(partition) };
}

/** Somebody who is nobody of the organization, whoever asks. */
export function asStranger(reading: ReadingContent): ReadingComputed {
  return { ...sourcesIn(reading), organization: reading.organization, me: undefined, ownedTeams: 0 };
}

/** A revision as visitors come upon it. */
export function visitorContent(reading: ReadingContent, revision: ShownRevision): Shown {
  return shownIn(asStranger(reading), revision);
}

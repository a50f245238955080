// The content of a space as visitors come upon it: with what is computed from things that everybody may see.

import type { Objects } from "../../store/objects";
import type { Reader } from "../../store/transaction";
import type { OrganizationRecord } from "../organizations/records";
import { type ReadingComputed, type Shown, shownIn } from "../revisions/computing";
import type { RevisionRecord } from "../revisions/records";

/** What there is to read content with. */
interface Reading {
  readonly tx: Reader;
  readonly objects: Objects;
  readonly organization: OrganizationRecord;
}

/** Somebody who is nobody of the organization, whoever asks. */
export function asStranger({ tx, objects, organization }: Reading): ReadingComputed {
  return { tx, objects, organization, me: undefined, ownedTeams: 0 };
}

/** A revision as visitors come upon it. */
export function visitorContent(reading: Reading, revision: Pick<RevisionRecord, "root">): Shown {
  return shownIn(asStranger(reading), revision);
}

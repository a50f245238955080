// A text of a revision, by what it is the text of.

import type { PageEntry } from "../../../content/revision/entries";
import type { WithId } from "../../../content/revision/view";

/** A text, and its page if it has one. */
export interface Source {
  readonly id: string;
  readonly body: string;
  readonly page: WithId<PageEntry> | undefined;
}

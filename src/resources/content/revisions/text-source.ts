// The source of a text in a revision.

import type { PageEntry } from "../../../content/revision/entries";
import type { WithId } from "../../../content/revision/view";

/** A page or a reusable content with its text. */
export interface TextSource {
  readonly id: string;
  /** The hash of the text. */
  readonly body: string;
  /** The page. Undefined for a reusable content. */
  readonly page: WithId<PageEntry> | undefined;
}

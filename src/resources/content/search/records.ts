// The stored search data: the copy of a space's index, and the state that the host's engine has.

import { records } from "../../../store/records";
import type { RevisionRecord } from "../revisions/records";

/** A state of a space's content. */
interface StateOf {
  readonly space: string;
  readonly root: RevisionRecord["root"];
  /** The hash of the list of computed pages; left out: there are none. */
  readonly computed?: string;
}

/** A copy of an index, and the state of the content that it was made from. */
export interface StoredIndex extends StateOf {
  /** The hash of its bytes. */
  readonly object: string;
}

export const storedIndexes = records("search-index", {
  key: (index: StoredIndex) => [index.space],
  indexes: { all: (index) => [index.space] },
});

/** The state of a space's content that the host's engine has. */
export const fed = records("search-fed", {
  key: (it: StateOf) => [it.space],
  indexes: { withComputed: (it) => (it.computed === undefined ? undefined : [it.space]) },
});

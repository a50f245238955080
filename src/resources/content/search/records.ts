// The stored search data: the copies of indexes and pools, and the state that the host's engine has.

import { defineRecordSet } from "../../../storage/records";
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
  /** The ids of the pages whose content is computed; left out: they are not known, or very many. */
  readonly stated?: readonly string[];
  /** How many pages not everybody finds (`isForAll`); left out: it is not known. */
  readonly kept?: number;
}

export const storedIndexes = defineRecordSet("search-index", {
  key: (index: StoredIndex) => [index.space],
  indexes: { all: (index) => [index.space] },
});

/** A copy of a pool. */
export interface StoredPool {
  /** That of the partition, or the id of a site. */
  readonly name: string;
  /** The hash of the bytes of its index. */
  readonly index: string;
  /** The hash of the list of its spaces. */
  readonly spaces: string;
}

export const storedPools = defineRecordSet("search-pool", {
  key: (pool: StoredPool) => [pool.name],
  indexes: { all: (pool) => [pool.name] },
  guards: { all: () => [] },
});

/** The state of a space's content that the host's engine has. */
export const fed = defineRecordSet("search-fed", {
  key: (it: StateOf) => [it.space],
  indexes: { withComputed: (it) => (it.computed === undefined ? undefined : [it.space]) },
});

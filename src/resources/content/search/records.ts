// The stored search data: snapshots of indexes and pools, and the state of synchronization with the host's search engine.

import { defineRecordSet } from "../../../storage/records";
import type { RevisionRecord } from "../revisions/records";

/** A state of a space's content that was indexed. */
interface SearchedState {
  readonly space: string;
  readonly root: RevisionRecord["root"];
  /** The hash of the list of computed pages; undefined: there are none. */
  readonly computed?: string;
}

/** A snapshot of an index, and the state of the content that it was built from. */
export interface StoredIndex extends SearchedState {
  /** The hash of its bytes. */
  readonly object: string;
  /** The ids of the pages whose content is computed; undefined: they are not known, or very many. */
  readonly stated?: readonly string[];
  /** The number of pages that some readers do not find (see `isUnrestricted`); undefined: it is not known. */
  readonly kept?: number;
}

export const storedIndexes = defineRecordSet("search-index", {
  key: (index: StoredIndex) => [index.space],
  indexes: { all: (index) => [index.space] },
});

export interface StoredPool {
  /** The name of the partition, or the id of a site. */
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
export const engineStates = defineRecordSet("search-fed", {
  key: (it: SearchedState) => [it.space],
  indexes: { withComputed: (it) => (it.computed === undefined ? undefined : [it.space]) },
});

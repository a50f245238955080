// The reader is a client of the API's own operations, within the process and with the token of a visitor. What a visitor may
// see is decided there, and nowhere else. One visit reads one snapshot of each partition, so a page never mixes two states.

import type { ApiInternals } from "../../api/internals";
import { DocsError } from "../../errors";
import { execute } from "../../execution/execute";
import type { Kernel } from "../../execution/kernel";
import { type Actor, ANONYMOUS } from "../../operation/actor";
import type { OperationInput, OperationName, OperationOutput } from "../../operations";
import { createVisitActor, readVisitToken } from "../../resources/sites/audience/visit-tokens";
import { DIRECTORY } from "../../storage/ids";
import type { Version } from "../../storage/storage";
import type { Store } from "../../storage/store";
import type { Reader } from "../../storage/transaction";

/** Asks one operation. Undefined where there is nothing, or nothing that this visitor sees. */
export type CallOperation = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
) => Promise<OperationOutput<Name> | undefined>;

/** Asks for one request of a browser. */
export interface SnapshotClient {
  /** As somebody of whom nothing is known. */
  readonly callAnonymously: CallOperation;
  /** As the visitor of a token that `POST /urls/published` gave. */
  readonly withVisitToken: (token: string) => CallOperation;
  /** What was read so far: partitions with their versions. */
  readonly readVersions: ReadonlyMap<string, Version>;
  /** Says that something was used which may change unnoticed. */
  readonly disableCaching: () => void;
  /** Whether everything that was answered so far stays the same while those versions do. */
  readonly isCacheable: () => boolean;
}

/** Begins to ask. Nothing is read before the first question. */
export function createSnapshotClient({ kernel, operations, visitorOperations }: ApiInternals): SnapshotClient {
  const read = new Map<string, Version>();
  const store = createSnapshotStore(kernel.store, read);
  let isLasting = true;
  const watched: Kernel = { ...kernel, store, jobs: { ...kernel.jobs, store } };

  const asking =
    (actor: Actor | undefined): CallOperation =>
    async (name, { params = {}, query = {}, body }: { params?: object; query?: object; body?: unknown }) => {
      try {
        const caller = { actor, directory: await store.read(DIRECTORY) };
        const raw = { params: params as Record<string, string>, query: query as Record<string, unknown>, body };
        const named = operations.get(name)!;
        const outcome = await execute(watched, named, raw, caller);
        // What an integration says may be another thing the next time.
        if (outcome.isVolatile || named.definition.spec.callsIntegration) isLasting = false;
        return outcome.value as never;
      } catch (error) {
        if (error instanceof DocsError && (error.status === 404 || error.status === 403)) return undefined;
        throw error;
      }
    };

  return {
    callAnonymously: asking(ANONYMOUS),
    withVisitToken(token) {
      const context = readVisitToken(kernel.secrets, token, kernel.store.now());
      return asking(context && createVisitActor(context, visitorOperations));
    },
    readVersions: read,
    disableCaching() {
      isLasting = false;
    },
    isCacheable: () => isLasting,
  };
}

/** A store that gives the same snapshot of a partition to everybody who reads it. */
function createSnapshotStore(store: Store, read: Map<string, Version>): Store {
  const readers = new Map<string, Promise<Reader>>();
  const begin = async (partition: string) => {
    const reader = await store.read(partition);
    read.set(partition, reader.version);
    return reader;
  };
  return {
    ...store,
    read(partition) {
      const known = readers.get(partition) ?? begin(partition);
      readers.set(partition, known);
      return known;
    },
  };
}

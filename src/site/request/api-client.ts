// Sites are a client of the API's own operations, within the process and with the token of a visitor. So the API alone decides what
// a visitor may see. Each request reads one snapshot of each partition, so a page never mixes two states.

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

/** Calls an operation. Returns undefined if the result does not exist, or this visitor does not see it. */
export type CallOperation = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
) => Promise<OperationOutput<Name> | undefined>;

/** A client for one request of a browser. */
export interface SnapshotClient {
  /** Calls an operation as an anonymous visitor. */
  readonly callAnonymously: CallOperation;
  /** Returns a function that calls operations with a token of `POST /urls/published`. */
  readonly withVisitToken: (token: string) => CallOperation;
  /** The versions of the partitions that were read so far. */
  readonly readVersions: ReadonlyMap<string, Version>;
  /** Declares that data was used which may change without a new version. */
  readonly disableCaching: () => void;
  /** Returns true if all results so far stay the same as long as those versions do. */
  readonly isCacheable: () => boolean;
}

/** Creates a client. Nothing is read before the first call. */
export function createSnapshotClient({ kernel, operations, visitorOperations }: ApiInternals): SnapshotClient {
  const readVersions = new Map<string, Version>();
  const readers = new Map<string, Promise<Reader>>();
  const openReader = async (partition: string) => {
    const reader = await kernel.store.read(partition);
    readVersions.set(partition, reader.version);
    return reader;
  };
  const store: Store = {
    ...kernel.store,
    read(partition) {
      const reader = readers.get(partition) ?? openReader(partition);
      readers.set(partition, reader);
      return reader;
    },
  };
  const snapshotKernel: Kernel = { ...kernel, store, jobs: { ...kernel.jobs, store } };
  let isCacheable = true;

  const createCaller =
    (actor: Actor | undefined): CallOperation =>
    async (name, { params = {}, query = {}, body }: { params?: object; query?: object; body?: unknown }) => {
      try {
        const caller = { actor, directory: await store.read(DIRECTORY) };
        const input = { params: params as Record<string, string>, query: query as Record<string, unknown>, body };
        const operation = operations.get(name)!;
        const outcome = await execute(snapshotKernel, operation, input, caller);
        // An integration may respond differently the next time.
        if (outcome.isVolatile || operation.definition.spec.callsIntegration) isCacheable = false;
        return outcome.value as never;
      } catch (error) {
        if (error instanceof DocsError && (error.status === 404 || error.status === 403)) return undefined;
        throw error;
      }
    };

  return {
    callAnonymously: createCaller(ANONYMOUS),
    withVisitToken(token) {
      const context = readVisitToken(kernel.secrets, token, kernel.store.now());
      return createCaller(context && createVisitActor(context, visitorOperations));
    },
    readVersions,
    disableCaching() {
      isCacheable = false;
    },
    isCacheable: () => isCacheable,
  };
}

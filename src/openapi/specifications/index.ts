// Reads specifications of APIs from a text or an address, within limits. The code is loaded when it is first needed.

import { type RunSteps, runStepsAtOnce } from "../../utils/concurrency/steps";
import { SpecificationError } from "./errors";
import { fetchDocument } from "./fetch-document";
import { type KnownDocument, readAllDocuments, type Specification, type SpecificationSource } from "./read";

export type { KnownDocument, Specification, SpecificationSource } from "./read";

/** The access to other hosts, and its limits. */
export interface SpecificationAccess {
  /** Undefined if other hosts cannot be reached. */
  readonly fetch: typeof globalThis.fetch | undefined;
  /** The longest time that reading one specification may take. */
  readonly milliseconds: number;
  /** Runs long work step by step, so that other work gets its turn. Default: without pauses. */
  readonly inTurns?: RunSteps;
}

/**
 * Reads a specification; undefined if it has not changed. `known` is the result of an earlier reading: then every document is
 * requested with its validators, and all are read only if one has changed. Throws `SpecificationError`.
 */
export async function readSpecification(
  source: SpecificationSource,
  { fetch, milliseconds, inTurns = runStepsAtOnce }: SpecificationAccess,
  known?: readonly KnownDocument[],
): Promise<Specification | undefined> {
  if (!fetch) return readAllDocuments(source, undefined, inTurns);
  const controller = new AbortController();
  const access = { fetch, signal: controller.signal };
  const read = async () => {
    if (!known) return readAllDocuments(source, access, inTurns);
    for (const { url, ...validators } of known) {
      const changed = await fetchDocument(access, url, validators);
      if (changed) return readAllDocuments(source, access, inTurns, new Map([[url, changed]]));
    }
    return undefined;
  };
  // The time limit also holds if a fetch ignores its signal.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const sentence = `The specification could not be read within ${Math.ceil(milliseconds / 1000)} seconds.`;
      reject(new SpecificationError("FETCH_TIMEOUT", sentence));
      controller.abort();
    }, milliseconds);
  });
  try {
    return await Promise.race([read(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

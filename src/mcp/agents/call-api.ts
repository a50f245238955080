// The calls of the API that tools make as the sender of their request, so that a tool reaches nothing that its caller cannot reach
// without it.

import { DocsError } from "../../errors";
import type { OperationInput, OperationName, OperationOutput } from "../../operations";

export interface ApiResponse<Value> {
  readonly value: Value;
  /** The version of the resource, for `ifMatch` of a later call. */
  readonly etag: string | undefined;
}

/** Calls an operation by its name. Refusals are thrown as `DocsError`. */
export type CallApi<Names extends OperationName> = <Name extends Names>(
  name: Name,
  input: OperationInput<Name>,
  ifMatch?: string,
) => Promise<ApiResponse<OperationOutput<Name>>>;

/** Resolves to undefined if the caller may not do this, so that a tool can leave out what the caller may not read. */
export async function ignoreForbidden<Value>(call: Promise<Value>): Promise<Value | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof DocsError && error.status === 403) return undefined;
    throw error;
  }
}

const MAX_WRITE_ATTEMPTS = 5;

/** Runs work that reads a resource and then writes with `ifMatch`. Runs it again if another writer was faster. */
export async function retryOnConflict<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isConflict = error instanceof DocsError && error.reason === "precondition_failed";
      if (!isConflict || attempt === MAX_WRITE_ATTEMPTS) throw error;
    }
  }
}

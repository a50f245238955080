// What people do. A button is busy while its call is under way, and what went wrong is told where it was pressed.

import { useState } from "preact/hooks";
import type { CallError, ClientInput, ClientOutput, OperationName } from "../../../client";
import { call } from "./client";
import { refreshAll } from "./reads";

/** Calls an operation that writes, and brings the screen up to date. A failure is thrown as a `CallError`. */
export async function write<Name extends OperationName>(
  name: Name,
  input: ClientInput<Name>,
  etag?: string,
): Promise<ClientOutput<Name>> {
  const result = await call(name, input, etag === undefined ? {} : { etag });
  if (!result.ok) throw result.error;
  void refreshAll();
  return result.value;
}

export interface Action<Given extends unknown[]> {
  readonly run: (...given: Given) => Promise<boolean>;
  readonly isBusy: boolean;
  readonly error: CallError | undefined;
  readonly forget: () => void;
}

/** Something that a person starts. `run` says whether it went well. */
export function useAction<Given extends unknown[]>(act: (...given: Given) => Promise<unknown>): Action<Given> {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  return {
    isBusy,
    error,
    forget: () => setError(undefined),
    async run(...given) {
      setBusy(true);
      setError(undefined);
      try {
        await act(...given);
        return true;
      } catch (thrown) {
        if (!isCallError(thrown)) throw thrown;
        setError(thrown);
        // What is on the screen let somebody do what is not possible any more.
        if (thrown.status === 403 || thrown.status === 404) void refreshAll();
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

function isCallError(thrown: unknown): thrown is CallError {
  return thrown instanceof Error && "reason" in thrown;
}

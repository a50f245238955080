// Mutations, and the actions of users that run them. A button is busy while its action runs, and shows the error of a failure.

import { useState } from "preact/hooks";
import type { CallError, ClientInput, ClientOutput, OperationName } from "../../../client";
import { call } from "./client";
import { refreshAllQueries } from "./queries";

/** Calls an operation that writes, and refreshes the screen. Throws a `CallError` on failure. */
export async function runMutation<Name extends OperationName>(
  name: Name,
  input: ClientInput<Name>,
  etag?: string,
): Promise<ClientOutput<Name>> {
  const result = await call(name, input, etag === undefined ? {} : { etag });
  if (!result.ok) throw result.error;
  void refreshAllQueries();
  return result.value;
}

export interface Action<Given extends unknown[]> {
  readonly run: (...given: Given) => Promise<boolean>;
  readonly isBusy: boolean;
  readonly error: CallError | undefined;
  readonly forget: () => void;
}

/** Returns an action that a user starts. `run` resolves to true if it succeeded. */
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
        if (!(thrown instanceof Error && "reason" in thrown)) throw thrown;
        const callError = thrown as CallError;
        setError(callError);
        // The screen offered an action that is no longer possible, so it is outdated.
        if (callError.status === 403 || callError.status === 404) void refreshAllQueries();
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

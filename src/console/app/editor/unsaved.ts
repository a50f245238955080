// Tracks unsaved text. While there is any, the actions of others do not remove the editor from the screen.

import { useRef } from "preact/hooks";
import type { QueryState } from "../api/queries";
import { createStore } from "../api/value-store";

export const unsavedStore = createStore(false);

/** Keeps the last value of a query that fails while there is unsaved text. `name` identifies the resource. */
export function useHeldQuery<Value>(reading: QueryState<Value>, name: string): QueryState<Value> {
  const last = useRef<{ readonly name: string; readonly reading: QueryState<Value> } | undefined>(undefined);
  if (reading.state === "loaded") last.current = { name, reading };
  const isHeld = reading.state !== "loaded" && unsavedStore.get() && last.current?.name === name;
  return isHeld ? last.current!.reading : reading;
}

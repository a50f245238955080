// Whether something was typed that is not saved. While it is so, nothing that others do takes the editor from the screen.

import { useRef } from "preact/hooks";
import type { Reading } from "../calls/reads";
import { createStore } from "../calls/store";

export const unsaved = createStore(false);

/** A reading that stays as it was when it fails while something is unsaved. The name says what it is about. */
export function useHeld<Value>(reading: Reading<Value>, name: string): Reading<Value> {
  const last = useRef<{ readonly name: string; readonly reading: Reading<Value> } | undefined>(undefined);
  if (reading.state === "had") last.current = { name, reading };
  const isHeld = reading.state !== "had" && unsaved.get() && last.current?.name === name;
  return isHeld ? last.current!.reading : reading;
}

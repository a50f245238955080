// Saving a form of settings, which stays on the screen: it says that it was saved until something is changed.

import { useState } from "preact/hooks";
import { useWords } from "../words/words";
import { type Action, useAction } from "./writes";

export interface Saving extends Action<[]> {
  /** What to say beside the button. */
  readonly done: string | undefined;
  /** Wraps what a field does with what is typed. */
  readonly changing: <Value>(set: (value: Value) => void) => (value: Value) => void;
}

export function useSaving(save: () => Promise<unknown>): Saving {
  const words = useWords();
  const [isSaved, setSaved] = useState(false);
  const action = useAction(async () => {
    await save();
    setSaved(true);
  });
  return {
    ...action,
    done: isSaved ? words.saved : undefined,
    changing: (set) => (value) => {
      setSaved(false);
      set(value);
    },
  };
}

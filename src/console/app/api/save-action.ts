// A hook that saves a settings form. The form stays on the screen, and shows that it was saved until a field changes.

import { useState } from "preact/hooks";
import { useMessages } from "../messages/messages";
import { type Action, useAction } from "./mutations";

export interface FormSaveAction extends Action<[]> {
  /** The message beside the button after saving. */
  readonly done: string | undefined;
  /** Wraps the change handler of a field, so that the message disappears. */
  readonly changing: <Value>(set: (value: Value) => void) => (value: Value) => void;
}

export function useSaveAction(save: () => Promise<unknown>): FormSaveAction {
  const messages = useMessages();
  const [isSaved, setSaved] = useState(false);
  const action = useAction(async () => {
    await save();
    setSaved(true);
  });
  return {
    ...action,
    done: isSaved ? messages.saved : undefined,
    changing: (set) => (value) => {
      setSaved(false);
      set(value);
    },
  };
}

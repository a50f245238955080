// A form with its fields, the error of its action, and its buttons.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Action } from "../api/mutations";
import { useMessages } from "../messages/messages";
import { Button } from "./button";
import { ActionError } from "./loaded";

export function Form({
  action,
  submit,
  onCancel,
  children,
  isDanger = false,
  done,
}: {
  readonly action: Action<[]>;
  /** The label of the submit button. */
  readonly submit: string;
  readonly onCancel?: () => void;
  readonly children?: ComponentChildren;
  readonly isDanger?: boolean;
  /** The message beside the buttons after a success, until a field changes. Default: after saving, that it was saved. */
  readonly done?: string | undefined;
}) {
  const messages = useMessages();
  const [isDone, setDone] = useState(false);
  return (
    <form
      class="form"
      onInput={() => setDone(false)}
      onSubmit={(event) => {
        event.preventDefault();
        if (!action.isBusy) void action.run().then(setDone);
      }}
    >
      {children}
      <ActionError error={action.error} />
      <div class="buttons">
        <Button type="submit" kind={isDanger ? "danger" : "first"} isBusy={action.isBusy}>
          {submit}
        </Button>
        {onCancel && <Button onClick={onCancel}>{messages.general.cancel}</Button>}
        <span class="done" role="status">
          {isDone && !action.isBusy ? (done ?? (submit === messages.general.save ? messages.general.saved : "")) : ""}
        </span>
      </div>
    </form>
  );
}

// A form: its fields, what went wrong, and its buttons.

import type { ComponentChildren } from "preact";
import type { Action } from "../calls/writes";
import { useWords } from "../words/words";
import { Button } from "./button";
import { Problem } from "./shown";

export function Form({
  action,
  submit,
  onCancel,
  children,
  isDanger = false,
  done,
}: {
  readonly action: Action<[]>;
  /** The label of the button that sends it. */
  readonly submit: string;
  readonly onCancel?: () => void;
  readonly children?: ComponentChildren;
  readonly isDanger?: boolean;
  /** What is said beside the buttons when it went well. */
  readonly done?: string | undefined;
}) {
  const words = useWords();
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!action.isBusy) void action.run();
      }}
    >
      {children}
      <Problem error={action.error} />
      <div class="buttons">
        <Button type="submit" kind={isDanger ? "danger" : "first"} isBusy={action.isBusy}>
          {submit}
        </Button>
        {onCancel && <Button onClick={onCancel}>{words.cancel}</Button>}
        <span class="done" role="status">
          {action.isBusy ? "" : done}
        </span>
      </div>
    </form>
  );
}

// Forms: the fields, each with a label, a hint and an error; the error of the action, and the buttons.

import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import type { Action } from "../api/api";
import { useMessages } from "../messages/messages";
import { Button } from "./button";
import { ActionError } from "./page";

interface Common {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly wrong?: string | undefined;
}

/** A field of one line, or of several with `rows`. */
export function TextField({
  label,
  hint,
  wrong,
  value,
  onChange,
  type = "text",
  rows,
  required,
  autoFocus,
  placeholder,
  disabled,
  maxLength,
  isCode = false,
  autoComplete,
}: Common & {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: "text" | "email" | "url" | "search" | "date" | "number" | "password";
  readonly rows?: number;
  readonly required?: boolean;
  readonly autoFocus?: boolean;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly maxLength?: number;
  /** Uses a monospace font. */
  readonly isCode?: boolean;
  readonly autoComplete?: "off";
}) {
  const id = useId();
  const described = [wrong && `${id}-wrong`, hint && `${id}-hint`].filter(Boolean).join(" ");
  const shared = {
    id,
    value,
    required,
    placeholder,
    disabled,
    maxLength,
    autoComplete,
    class: isCode ? "code" : undefined,
    dir: isCode ? ("ltr" as const) : ("auto" as const),
    autoFocus,
    "aria-invalid": wrong ? ("true" as const) : undefined,
    "aria-describedby": described === "" ? undefined : described,
    onInput: (event: Event) => onChange((event.currentTarget as HTMLInputElement).value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows === undefined ? (
        <input {...(shared as object)} type={type as "text"} />
      ) : (
        <textarea {...shared} rows={rows} />
      )}
      <Below id={id} hint={hint} wrong={wrong} />
    </div>
  );
}

/** A select field. `options` are labels by value, or pairs if values are loaded. */
export function Choice<Value extends string>({
  label,
  hint,
  wrong,
  value,
  options,
  onChange,
  disabled,
  required,
}: Common & {
  readonly value: Value;
  readonly options: Readonly<Partial<Record<Value, string>>> | readonly (readonly [value: Value, label: string])[];
  readonly onChange: (value: Value) => void;
  readonly disabled?: boolean;
  readonly required?: boolean;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={disabled}
        required={required}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.value as Value)}
      >
        {((Array.isArray(options) ? options : Object.entries(options)) as [Value, string][]).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
      <Below id={id} hint={hint} wrong={wrong} />
    </div>
  );
}

export function Check({
  label,
  hint,
  value,
  onChange,
  disabled,
}: Omit<Common, "wrong"> & {
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
  readonly disabled?: boolean;
}) {
  const id = useId();
  return (
    <div class="field check">
      <input
        id={id}
        type="checkbox"
        checked={value}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      <Below id={id} hint={hint} wrong={undefined} />
    </div>
  );
}

function Below({
  id,
  hint,
  wrong,
}: {
  readonly id: string;
  readonly hint: ComponentChildren;
  readonly wrong: string | undefined;
}) {
  return (
    <>
      {wrong && (
        <p class="wrong" id={`${id}-wrong`}>
          {wrong}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}

export function Form({
  action,
  submit,
  onCancel,
  children,
  isDanger = false,
  done,
}: {
  readonly action: Action<[]>;
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
        {onCancel && <Button onClick={onCancel}>{messages.cancel}</Button>}
        <span class="done" role="status">
          {isDone && !action.isBusy ? (done ?? (submit === messages.save ? messages.saved : "")) : ""}
        </span>
      </div>
    </form>
  );
}

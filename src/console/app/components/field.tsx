// Form fields, each with a label, a hint and an error.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

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

/** A select field. */
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
  readonly options: readonly (readonly [value: Value, label: string])[];
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
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
      <Below id={id} hint={hint} wrong={wrong} />
    </div>
  );
}

/** A checkbox. */
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

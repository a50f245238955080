// Buttons.

import type { ComponentChildren } from "preact";
import type { Action } from "../api/mutations";

export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: (event: MouseEvent) => void;
  /** The action that a click runs. The button is busy while it runs. */
  readonly action?: Action<[]>;
  /** `first`: the primary action. `quiet`: without a border. `danger`: a destructive action. */
  readonly kind?: "first" | "second" | "quiet" | "danger";
  readonly type?: "button" | "submit";
  /** A busy button is disabled and says so. */
  readonly isBusy?: boolean;
  readonly disabled?: boolean;
  /** The accessible label, if the content does not describe the action. */
  readonly label?: string;
  readonly id?: string;
}

export function Button({
  children,
  action,
  onClick = () => void action?.run(),
  kind = "second",
  type = "button",
  isBusy = action?.isBusy ?? false,
  disabled,
  label,
  id,
}: ButtonProps) {
  return (
    <button
      id={id}
      type={type}
      class={`button ${kind}`}
      disabled={disabled}
      aria-disabled={isBusy ? "true" : undefined}
      aria-busy={isBusy ? "true" : undefined}
      aria-label={label}
      title={label}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick(event);
      }}
    >
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton({
  href,
  children,
  kind = "second",
}: {
  readonly href: string;
  readonly children: ComponentChildren;
  readonly kind?: ButtonProps["kind"];
}) {
  return (
    <a class={`button ${kind}`} href={href}>
      {children}
    </a>
  );
}

// Buttons.

import type { ComponentChildren } from "preact";

export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: (event: MouseEvent) => void;
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
  onClick,
  kind = "second",
  type = "button",
  isBusy = false,
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
        else onClick?.(event);
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

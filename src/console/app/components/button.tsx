// Buttons, menus and icons. An icon without text always has an accessible label on its button.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { Action } from "../api/api";

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

const paths = {
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 13l4 4L19 7",
  right: "M9 6l6 6-6 6",
  down: "M6 9l6 6 6-6",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5",
  menu: "M4 7h16M4 12h16M4 17h16",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  page: "M7 3h7l4 4v14H7zM14 3v4h4",
  folder: "M3 6h6l2 2h10v11H3z",
  book: "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.5 2.7-6 6-6s6 2.5 6 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3 2.800 3 5.500",
  globe: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  branch: "M7 4v16M7 15c6 0 10-2 10-7M17 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  settings: "M4 7h10M18 7h2M4 17h4M12 17h8M16 5v4M10 15v4",
  shield: "M12 3l8 3v6c0 5-3.500 8-8 9-4.500-1-8-4-8-9V6z",
  puzzle: "M9 4h6v4h5v6h-4v6H9v-5H4V8h5z",
  language: "M4 6h9M8.500 4v2c0 4-2 7-5 8M6 9c1 3 4 5 7 5M13 20l4-10 4 10M14.500 17h5",
  api: "M8 8l-4 4 4 4M16 8l4 4-4 4M13 6l-2 12",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.500 2",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  eye: "M2 12s3.500-6 10-6 10 6 10 6-3.500 6-10 6-10-6-10-6zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  comment: "M4 5h16v11H10l-5 4v-4H4z",
  out: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  key: "M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l8-8M16 7l3 3",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

export type MenuItem =
  | { readonly label: string; readonly href: string }
  | {
      readonly label: string;
      readonly onSelect: () => void;
      readonly isDanger?: boolean;
      readonly disabled?: boolean;
      /** Marks the selected item of a menu in which one item is selected. */
      readonly isChosen?: boolean;
      /** The language of the label, if it differs from that of the page. */
      readonly language?: string;
    };

export function Menu({
  label,
  sign,
  isQuiet = false,
  children: items,
}: {
  readonly label: string;
  /** The content of the button in place of its label. */
  readonly sign?: ComponentChildren;
  readonly isQuiet?: boolean;
  readonly children: readonly MenuItem[];
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const list = () => [...(root.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
  const close = () => {
    setOpen(false);
    root.current?.querySelector<HTMLElement>("button")?.focus();
  };
  useEffect(() => {
    if (!isOpen) return undefined;
    const items = list();
    (items.find((it) => it.ariaChecked === "true") ?? items[0])?.focus();
    const outside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    const all = list();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === "Escape") close();
    else if (to !== undefined) all[to % all.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="menu" ref={root}>
      <button
        type="button"
        class={`button ${isQuiet ? "quiet" : "second"}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={sign ? label : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {sign ?? (
          <>
            <bdi>{label}</bdi> <Icon name="down" />
          </>
        )}
      </button>
      {isOpen && (
        <div id={id} role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
          {items.map((item) => (
            <div key={item.label} role="none">
              {"href" in item ? (
                <a role="menuitem" href={item.href} tabIndex={-1} onClick={() => setOpen(false)}>
                  {item.label}
                </a>
              ) : (
                <button
                  type="button"
                  {...(item.isChosen === undefined
                    ? { role: "menuitem" }
                    : { role: "menuitemradio", "aria-checked": item.isChosen })}
                  lang={item.language}
                  class={item.isDanger ? "danger" : undefined}
                  tabIndex={-1}
                  aria-disabled={item.disabled ? "true" : undefined}
                  onClick={() => {
                    if (item.disabled) return;
                    close();
                    item.onSelect();
                  }}
                >
                  {item.label}
                </button>
              )}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

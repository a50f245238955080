// A button that opens a menu of actions. Arrow keys move through it, Escape closes it.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Icon } from "./icon";

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
          {items.map((item, at) => (
            <div key={`${item.label} ${at}`} role="none">
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

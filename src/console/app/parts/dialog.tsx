// A dialog over the page. The browser keeps the focus in it, and closes it with Escape.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useWords } from "../words/words";
import { Button } from "./button";
import { Icon } from "./icon";

export function Dialog({
  title,
  onClose,
  children,
  isWide = false,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly isWide?: boolean;
}) {
  const words = useWords();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    // What opened it has the focus again when it is closed. Where that is gone, the page has it.
    return () => (before?.isConnected ? before : document.getElementById("content"))?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isWide ? "dialog wide" : "dialog"}
      aria-labelledby={id}
      // A press beside a wide one, in which people write, does not close it.
      {...{ closedby: isWide ? "closerequest" : "any" }}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" label={words.close} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </header>
      <div class="inside">{children}</div>
    </dialog>
  );
}

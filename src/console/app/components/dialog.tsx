// A modal dialog. The browser keeps the focus inside, and closes it with Escape.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useMessages } from "../messages/messages";
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
  const messages = useMessages();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    // After closing, the focus returns to the element that opened the dialog, or to the page if that is gone.
    return () => (before?.isConnected ? before : document.getElementById("content"))?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isWide ? "dialog wide" : "dialog"}
      aria-labelledby={id}
      // A click beside a wide dialog, in which users type, does not close it.
      {...{ closedby: isWide ? "closerequest" : "any" }}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" label={messages.general.close} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </header>
      <div class="inside">{children}</div>
    </dialog>
  );
}

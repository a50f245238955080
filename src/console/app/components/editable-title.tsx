// A title that is edited where it stands: a button turns it into a field. Enter saves the new title, and Escape keeps the old one.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useAction } from "../api/mutations";
import { useMessages } from "../messages/messages";
import { Button } from "./button";
import { Icon } from "./icon";
import { ActionError } from "./loaded";

export function EditableTitle({
  title,
  onRename,
  children,
}: {
  readonly title: string;
  readonly onRename: ((title: string) => Promise<unknown>) | undefined;
  /** The title while it is not edited. */
  readonly children: ComponentChildren;
}) {
  const messages = useMessages();
  const [typed, setTyped] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const isEditing = typed !== undefined;
  /** A field that is removed from the page may lose the focus, which must not save it. */
  const isCanceled = useRef(false);
  // Before the next key is pressed.
  useLayoutEffect(() => field.current?.select(), [isEditing]);
  const save = useAction(async () => {
    const next = (typed ?? "").trim();
    if (next !== "" && next !== title) await onRename!(next);
    setTyped(undefined);
  });
  return (
    <div class="editable-title">
      <div class={isEditing ? "unseen" : undefined}>{children}</div>
      {onRename && !isEditing && (
        <Button
          kind="quiet"
          label={messages.general.rename}
          onClick={() => {
            isCanceled.current = false;
            setTyped(title);
          }}
        >
          <Icon name="edit" />
        </Button>
      )}
      {isEditing && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!save.isBusy) void save.run();
          }}
        >
          <input
            ref={field}
            class="title-input"
            aria-label={messages.general.title}
            value={typed}
            maxLength={255}
            dir="auto"
            onInput={(event) => setTyped(event.currentTarget.value)}
            onBlur={() => !isCanceled.current && !save.isBusy && void save.run()}
            onKeyDown={(event) => {
              if (event.key !== "Escape") return;
              isCanceled.current = true;
              setTyped(undefined);
            }}
          />
          <ActionError error={save.error} />
        </form>
      )}
    </div>
  );
}

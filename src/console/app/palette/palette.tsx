// The command palette: one field that finds pages, spaces, sites, people, change requests and actions as somebody types.

import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { useAction } from "../api/mutations";
import { Icon } from "../components/icon";
import { ActionError } from "../components/loaded";
import { useMessages } from "../messages/messages";
import { ownAddresses } from "../routes";
import { type Command, useCommands } from "./commands";

export function Palette({ organization, onClose }: { readonly organization: string; readonly onClose: () => void }) {
  const messages = useMessages();
  const { route } = useLocation();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState("");
  /** The selected command, which stays selected while further results arrive. */
  const [chosen, setChosen] = useState<string>();
  const { commands, isSearching } = useCommands(organization, typed);
  const getKey = ({ group, label, target }: Command) => `${group} ${label} ${"href" in target ? target.href : ""}`;
  const active = Math.max(
    0,
    commands.findIndex((command) => getKey(command) === chosen),
  );
  const select = (at: number) => {
    const command = commands[(at + commands.length) % commands.length];
    setChosen(command && getKey(command));
  };
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => before?.isConnected && before.focus();
  }, []);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [active, commands.length]);
  const run = useAction(async ({ target }: Command) => {
    if ("run" in target) await target.run();
    else if (ownAddresses.test(target.href)) route(target.href);
    else location.assign(target.href);
    onClose();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    // A key that belongs to an input method, such as Enter that ends a word in Japanese, is not for the list.
    if (event.isComposing) return;
    const command = commands[active];
    if (event.key === "ArrowDown") select(active + 1);
    else if (event.key === "ArrowUp") select(active - 1);
    else if (event.key === "Enter" && command) void run.run(command);
    else return;
    event.preventDefault();
  };
  const combobox = {
    type: "text",
    role: "combobox",
    "aria-expanded": "true",
    "aria-controls": id,
    "aria-activedescendant": commands[active] ? `${id}-${active}` : undefined,
    "aria-autocomplete": "list",
  };
  return (
    <dialog
      ref={dialog}
      class="dialog palette"
      aria-label={messages.palette.title}
      {...{ closedby: "any" }}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div class="palette-field">
        <Icon name="search" />
        <input
          {...(combobox as object)}
          class="palette-input"
          aria-label={messages.palette.title}
          autoComplete="off"
          spellcheck={false}
          maxLength={200}
          placeholder={messages.palette.placeholder}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setChosen(undefined);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <ActionError error={run.error} />
      <div id={id} ref={list} role="listbox" aria-label={messages.palette.results} class="palette-list" tabIndex={-1}>
        {commands.map((command, at) => (
          <div key={getKey(command)} role="presentation">
            {commands[at - 1]?.group !== command.group && (
              <p class="palette-group" role="presentation">
                {command.group}
              </p>
            )}
            <div
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === active}
              tabIndex={-1}
              onPointerMove={() => select(at)}
              onClick={() => void run.run(command)}
              onKeyDown={onKeyDown}
            >
              <Icon name={command.icon} />
              <bdi>{command.label}</bdi>
              {command.detail !== undefined && (
                <small>
                  <bdi>{command.detail}</bdi>
                </small>
              )}
            </div>
          </div>
        ))}
        {commands.length === 0 && (
          <p class="palette-empty">{isSearching ? messages.general.loading : messages.palette.nothingFound}</p>
        )}
      </div>
    </dialog>
  );
}

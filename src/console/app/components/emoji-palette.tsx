// The emoji that can be chosen, with a search by their short names. Arrow keys move through them.

import named from "markdown-it-emoji/lib/data/full.mjs";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useMessages } from "../messages/messages";
import { TextField } from "./field";

/** Every emoji with its names, in the order of Unicode. */
const emojiNames = new Map<string, string>();
for (const [name, emoji] of Object.entries(named))
  emojiNames.set(emoji, `${emojiNames.get(emoji) ?? ""} ${name.replaceAll("_", " ")}`.trim());

/** The most emoji that are shown at once. A search finds the others. */
const MAX_SHOWN = 240;

export function EmojiPalette({ onChoose }: { readonly onChoose: (emoji: string) => void }) {
  const messages = useMessages();
  const [typed, setTyped] = useState("");
  const grid = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => {
    const words = typed.trim().toLowerCase().replaceAll(":", "").split(/\s+/);
    const found = [...emojiNames].filter(
      ([emoji, names]) => emoji === typed.trim() || words.every((word) => names.includes(word)),
    );
    return found.slice(0, MAX_SHOWN);
  }, [typed]);
  useEffect(() => grid.current?.parentElement?.querySelector("input")?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(grid.current?.querySelectorAll("button") ?? [])];
    const [first, second] = buttons;
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    // The number of emoji in a row, which depends on the width of the screen.
    const isInFirstRow = (button: HTMLElement) => button.offsetTop === first?.offsetTop;
    const columns = second ? buttons.filter(isInFirstRow).length : 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: columns,
      ArrowUp: -columns,
    };
    const step = steps[event.key];
    if (step === undefined || at < 0) return;
    event.preventDefault();
    buttons[at + step]?.focus();
  };
  return (
    <div>
      <TextField label={messages.general.search} type="search" value={typed} onChange={setTyped} autoComplete="off" />
      <div ref={grid} class="emoji-grid">
        {shown.map(([emoji, names]) => (
          <button
            key={emoji}
            type="button"
            aria-label={`${emoji} ${names}`}
            title={names}
            onClick={() => onChoose(emoji)}
            onKeyDown={onKeyDown}
          >
            {emoji}
          </button>
        ))}
      </div>
      {shown.length === 0 && <p class="empty">{messages.palette.nothingFound}</p>}
    </div>
  );
}

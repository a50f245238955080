// A field for an emoji, which can be typed or chosen from a searchable palette.

import { Suspense } from "preact/compat";
import { useState } from "preact/hooks";
import lazy from "preact-iso/lazy";
import { useMessages } from "../messages/messages";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { TextField } from "./field";
import { LoadingIndicator } from "./loaded";

const EmojiPalette = lazy(() => import("./emoji-palette").then((it) => it.EmojiPalette));

export function EmojiField({
  hint,
  value,
  onChange,
}: {
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (emoji: string) => void;
}) {
  const messages = useMessages();
  const [isChoosing, setChoosing] = useState(false);
  const choose = (emoji: string) => {
    onChange(emoji);
    setChoosing(false);
  };
  return (
    <div class="emoji-field">
      <TextField label={messages.editor.emoji} hint={hint} value={value} onChange={onChange} maxLength={50} />
      <Button onClick={() => setChoosing(true)}>{messages.editor.chooseEmoji}</Button>
      {value !== "" && (
        <Button kind="quiet" onClick={() => onChange("")}>
          {messages.editor.removeEmoji}
        </Button>
      )}
      {isChoosing && (
        <Dialog title={messages.editor.chooseEmoji} onClose={() => setChoosing(false)}>
          <Suspense fallback={<LoadingIndicator />}>
            <EmojiPalette onChoose={choose} />
          </Suspense>
        </Dialog>
      )}
    </div>
  );
}

// A button that puts a text into the clipboard.

import { useState } from "preact/hooks";
import { useWords } from "../words/words";
import { Button } from "./button";

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const words = useWords();
  const [isCopied, setCopied] = useState(false);
  return (
    <Button
      onClick={() =>
        void navigator.clipboard.writeText(text).then(
          () => setCopied(true),
          () => setCopied(false),
        )
      }
    >
      {isCopied ? words.copied : (label ?? words.copy)}
    </Button>
  );
}

// A secret that is shown once, to be copied.

import { useState } from "preact/hooks";
import { useWords } from "../words/words";
import { Button } from "./button";

export function ShownOnce({ label, value }: { readonly label: string; readonly value: string }) {
  const words = useWords();
  const [isCopied, setCopied] = useState(false);
  return (
    <div class="notice once" role="status">
      <p>
        <strong>{label}</strong> {words.shownOnce}
        <br />
        <code>{value}</code>
      </p>
      <Button
        onClick={() =>
          void navigator.clipboard.writeText(value).then(
            () => setCopied(true),
            () => setCopied(false),
          )
        }
      >
        {isCopied ? words.copied : words.copy}
      </Button>
    </div>
  );
}

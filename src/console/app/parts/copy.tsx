// A value to take along: it is shown, and a button copies it.

import { useState } from "preact/hooks";
import { useWords } from "../words/words";
import { Button } from "./button";

export function CopyButton({ value, of }: { readonly value: string; readonly of?: string }) {
  const words = useWords();
  const [isCopied, setCopied] = useState(false);
  const text = isCopied ? words.copied : words.copy;
  return (
    <Button
      {...(of === undefined ? {} : { label: `${text}: ${of}` })}
      onClick={() =>
        void navigator.clipboard.writeText(value).then(
          () => setCopied(true),
          () => setCopied(false),
        )
      }
    >
      {text}
    </Button>
  );
}

/** Values with their names, each with a button that copies it. */
export function Copyable({
  children: items,
}: {
  readonly children: readonly (readonly [label: string, value: string])[];
}) {
  return (
    <dl class="copyable">
      {items.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <code>{value}</code>
            <CopyButton value={value} of={label} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

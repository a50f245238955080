// A value with a button that copies it.

import { useState } from "preact/hooks";
import { useMessages } from "../messages/messages";
import { Button } from "./button";

export function CopyButton({ value, of }: { readonly value: string; readonly of?: string }) {
  const messages = useMessages();
  const [isCopied, setCopied] = useState(false);
  const text = isCopied ? messages.account.copied : messages.account.copy;
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

/** A list of named values, each with a button that copies it. */
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

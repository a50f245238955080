// A secret that is shown once, with a button that copies it.

import { useMessages } from "../messages/messages";
import { CopyButton } from "./copy";

export function OneTimeSecret({ label, value }: { readonly label: string; readonly value: string }) {
  const messages = useMessages();
  return (
    <div class="notice once" role="status">
      <p>
        <strong>{label}</strong> {messages.account.shownOnce}
        <br />
        <code>{value}</code>
      </p>
      <CopyButton value={value} />
    </div>
  );
}

// The status of a change request.

import type { ChangeRequest } from "../../../generated/resources";
import { useMessages } from "../messages/messages";

export function Status({ of: status }: { readonly of: ChangeRequest["status"] }) {
  const messages = useMessages();
  const labels = {
    draft: messages.statusDraft,
    open: messages.statusOpen,
    merged: messages.statusMerged,
    archived: messages.statusArchived,
  };
  return <span class={`status ${status}`}>{labels[status]}</span>;
}

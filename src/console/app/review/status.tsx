// The status of a change request.

import type { ChangeRequest } from "../../../generated/resources";
import { useMessages } from "../messages/messages";

export function Status({ of: status }: { readonly of: ChangeRequest["status"] }) {
  const messages = useMessages();
  const labels = {
    draft: messages.changeRequests.statusDraft,
    open: messages.changeRequests.statusOpen,
    merged: messages.changeRequests.statusMerged,
    archived: messages.changeRequests.statusArchived,
  };
  return <span class={`status ${status}`}>{labels[status]}</span>;
}

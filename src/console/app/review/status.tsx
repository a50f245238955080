// The status of a change request.

import type { ChangeRequest } from "../../../generated/resources";
import { type Messages, useMessages } from "../messages/messages";

export function getStatusLabels(messages: Messages): Readonly<Record<ChangeRequest["status"], string>> {
  return {
    draft: messages.statusDraft,
    open: messages.statusOpen,
    merged: messages.statusMerged,
    archived: messages.statusArchived,
  };
}

export function Status({ of: status }: { readonly of: ChangeRequest["status"] }) {
  return <span class={`status ${status}`}>{getStatusLabels(useMessages())[status]}</span>;
}

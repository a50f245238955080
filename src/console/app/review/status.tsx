// Where a change request is in its life.

import type { ChangeRequest } from "../../../generated/resources";
import { useWords, type Words } from "../words/words";

export function statusWords(words: Words): Readonly<Record<ChangeRequest["status"], string>> {
  return {
    draft: words.statusDraft,
    open: words.statusOpen,
    merged: words.statusMerged,
    archived: words.statusArchived,
  };
}

export function Status({ of: status }: { readonly of: ChangeRequest["status"] }) {
  return <span class={`status ${status}`}>{statusWords(useWords())[status]}</span>;
}

// The labels of fields and conflicts. A field without a label keeps its name in the API.

import type { Messages } from "../messages/messages";

export function getFieldLabel(member: string, messages: Messages): string {
  const known: Readonly<Record<string, string>> = {
    document: messages.git.conflictText,
    title: messages.editor.pageTitle,
    description: messages.editor.description,
    slug: messages.editor.slug,
    path: messages.editor.slug,
    emoji: messages.editor.emoji,
    icon: messages.editor.icon,
    condition: messages.editor.condition,
    hidden: messages.editor.hidden,
    noIndex: messages.editor.noIndex,
  };
  return known[member] ?? member;
}

/** Returns the labels of the kinds of conflicts. */
export function getConflictLabels(messages: Messages): Readonly<Record<string, string>> {
  return {
    text: messages.git.conflictText,
    field: messages.git.conflictField,
    move: messages.git.conflictMove,
    delete: messages.git.conflictDelete,
    cycle: messages.git.conflictMove,
    variable: messages.git.conflictField,
  };
}

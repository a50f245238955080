// The labels of fields and conflicts. A field without a label keeps its name in the API.

import type { Messages } from "../messages/messages";

export function getFieldLabel(member: string, messages: Messages): string {
  const known: Readonly<Record<string, string>> = {
    document: messages.conflictText,
    title: messages.pageTitle,
    description: messages.description,
    slug: messages.slug,
    path: messages.slug,
    emoji: messages.emoji,
    icon: messages.icon,
    condition: messages.condition,
    hidden: messages.hidden,
    noIndex: messages.noIndex,
  };
  return known[member] ?? member;
}

export function getConflictLabels(messages: Messages): Readonly<Record<string, string>> {
  return {
    text: messages.conflictText,
    field: messages.conflictField,
    move: messages.conflictMove,
    delete: messages.conflictDelete,
    cycle: messages.conflictMove,
    variable: messages.conflictField,
  };
}

// What of a page was changed, or is in conflict, in words. What has none keeps the name that the API has for it.

import type { Words } from "../words/words";

export function memberWords(member: string, words: Words): string {
  const known: Readonly<Record<string, string>> = {
    document: words.conflictText,
    title: words.pageTitle,
    description: words.description,
    slug: words.slug,
    path: words.slug,
    emoji: words.emoji,
    icon: words.icon,
    condition: words.condition,
    hidden: words.hidden,
    noIndex: words.noIndex,
  };
  return known[member] ?? member;
}

/** The kinds of conflicts. */
export function conflictWords(words: Words): Readonly<Record<string, string>> {
  return {
    text: words.conflictText,
    field: words.conflictField,
    move: words.conflictMove,
    delete: words.conflictDelete,
    cycle: words.conflictMove,
    variable: words.conflictField,
  };
}

// What is said of a page outside of its text: its title, its description, and the address of a link among the pages. They may
// have conditions in them, as the text may.

import { omitUndefined } from "../../utils/objects";
import type { Scope } from "../expressions";
import type { PageEntry } from "../revision/entries";
import { decidedWords, mayHaveConditions } from "./conditions";

/** A page with the words that a scope shows. */
export function decidedPage<Page extends PageEntry>(page: Page, scope: Scope): Page {
  const { title, description, target } = page;
  const mayDiffer = [title, description, target?.kind === "url" ? target.url : undefined].some(
    (text) => text !== undefined && mayHaveConditions(text),
  );
  if (!mayDiffer) return page;
  const words = (text: string) => decidedWords(text, scope);
  const shown = {
    title: words(title),
    description: description === undefined ? undefined : words(description),
    url: target?.kind === "url" ? words(target.url) : undefined,
  };
  return {
    ...page,
    title: shown.title,
    ...omitUndefined({
      description: shown.description,
      target: target?.kind === "url" ? { ...target, url: shown.url } : undefined,
    }),
  };
}

// Resolves the conditions in the fields of a page: its title, its description, and the URL of a link among the pages. They may have
// conditions, as the text may.

import { omitUndefined } from "../../utils/objects";
import type { ExpressionScope } from "../expressions";
import type { PageEntry } from "../revision/entries";
import { mayHaveConditions, resolveConditions } from "./conditions";

/** Returns a page with the fields that are visible in a scope. */
export function resolvePageConditions<Page extends PageEntry>(page: Page, scope: ExpressionScope): Page {
  const { title, description, target } = page;
  const url = target?.kind === "url" ? target.url : undefined;
  if (![title, description, url].some((text) => text !== undefined && mayHaveConditions(text))) return page;
  return {
    ...page,
    title: resolveConditions(title, scope),
    ...omitUndefined({
      description: description === undefined ? undefined : resolveConditions(description, scope),
      target: url === undefined ? undefined : { ...target, url: resolveConditions(url, scope) },
    }),
  };
}

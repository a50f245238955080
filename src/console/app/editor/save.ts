// Saves a page against what it was edited on. When somebody else has written to it meanwhile, nothing is saved, and what they
// wrote comes back.

import type { CallError } from "../../../client";
import { type Change, change, type Page, type Place, readPage, readRevision } from "../space/place";
import type { Draft, Fields } from "./drafts";

export type Saved =
  | { readonly outcome: "saved"; readonly page: Page }
  | { readonly outcome: "stale"; readonly page: Page };

/** The fields of a page, as the editor has them. */
export function fieldsOf(page: Page): Fields {
  const {
    title,
    description = "",
    slug,
    emoji = "",
    icon = "",
    condition = "",
    hidden = false,
    noIndex = false,
  } = page;
  return { title, description, slug, emoji, icon, condition, hidden, noIndex };
}

/** Others may write to other pages at the same time. A save is tried again this often. */
const TRIES = 8;

export async function savePage(place: Place, pageId: string, draft: Draft): Promise<Saved> {
  for (let tries = 1; ; tries++) {
    // The revision is read before the page: whoever writes after that makes the save come too late.
    const revision = await readRevision(place);
    const now = await readPage(place, pageId);
    const isSame =
      (now.markdown ?? "") === draft.base.markdown &&
      JSON.stringify(fieldsOf(now)) === JSON.stringify(draft.base.fields);
    if (!isSame) return { outcome: "stale", page: now };
    const changes = changesOf(pageId, draft);
    if (changes.length === 0) return { outcome: "saved", page: now };
    try {
      await change(place, changes, revision);
      return { outcome: "saved", page: await readPage(place, pageId) };
    } catch (error) {
      if ((error as CallError).reason !== "precondition_failed" || tries === TRIES) throw error;
    }
  }
}

/** What a draft changes. The text comes first: what it states of the page would win over the fields. */
function changesOf(page: string, { base, head, body, fields }: Draft): Change[] {
  const markdown = head + body;
  const changed = Object.fromEntries(
    Object.entries(fields)
      .filter(([name, value]) => value !== base.fields[name as keyof Fields])
      // An empty text takes a field away. The title and the slug cannot be taken away.
      .map(([name, value]) => [name, value === "" && name !== "title" && name !== "slug" ? null : value]),
  );
  return [
    ...(markdown === base.markdown ? [] : [{ operation: "update_page" as const, page, document: { markdown } }]),
    ...(Object.keys(changed).length === 0 ? [] : [{ operation: "update_page" as const, page, ...changed }]),
  ];
}

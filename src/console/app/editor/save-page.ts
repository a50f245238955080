// Saves a page if it is still the version that the draft is based on. Otherwise nothing is saved, and the current version is
// returned.

import type { CallError } from "../../../client";
import {
  applyChanges,
  type ContentEdit,
  type ContentPlace,
  type Page,
  readCurrentPage,
  readRevision,
} from "../space/content-place";
import type { PageDraft, PageFieldValues } from "./drafts";

export type SaveOutcome =
  | { readonly outcome: "saved"; readonly page: Page }
  | { readonly outcome: "stale"; readonly page: Page };

/** Returns the fields of a page as the editor shows them. */
export function getPageFields(page: Page): PageFieldValues {
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

/** The most attempts of a save, because others may write to other pages at the same time. */
const MAX_ATTEMPTS = 8;

export async function savePage(place: ContentPlace, pageId: string, draft: PageDraft): Promise<SaveOutcome> {
  const { base, head, body, fields } = draft;
  const markdown = head + body;
  const changedFields = Object.fromEntries(
    Object.entries(fields)
      .filter(([name, value]) => value !== base.fields[name as keyof PageFieldValues])
      // An empty text removes a field. The title and the slug cannot be removed.
      .map(([name, value]) => [name, value === "" && name !== "title" && name !== "slug" ? null : value]),
  );
  // The text comes first, because its front matter would override the fields.
  const changes: ContentEdit[] = [];
  if (markdown !== base.markdown) changes.push({ operation: "update_page", page: pageId, document: { markdown } });
  if (Object.keys(changedFields).length > 0) changes.push({ operation: "update_page", page: pageId, ...changedFields });

  for (let attempt = 1; ; attempt++) {
    // The revision is read before the page, so that a write in between makes the save fail.
    const revision = await readRevision(place);
    const current = await readCurrentPage(place, pageId);
    const isUnchanged =
      (current.markdown ?? "") === base.markdown &&
      JSON.stringify(getPageFields(current)) === JSON.stringify(base.fields);
    if (!isUnchanged) return { outcome: "stale", page: current };
    if (changes.length === 0) return { outcome: "saved", page: current };
    try {
      await applyChanges(place, changes, revision);
      return { outcome: "saved", page: await readCurrentPage(place, pageId) };
    } catch (error) {
      if ((error as CallError).reason !== "precondition_failed" || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

// Builds the changes that bring the pages of a space back to an earlier revision, page by page.

import type { ContentChange } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import type { ContentEdit, PageInTree } from "../space/content-place";

/** A page with its position in a tree. */
interface TreePosition {
  readonly page: PageInTree;
  readonly into: string | null;
  readonly at: number;
}

function indexPagePositions(pages: readonly PageInTree[], into: string | null = null): Map<string, TreePosition> {
  const found = new Map<string, TreePosition>();
  for (const [at, page] of pages.entries()) {
    found.set(page.id, { page, into, at });
    for (const [id, stood] of indexPagePositions(page.pages, page.id)) found.set(id, stood);
  }
  return found;
}

export interface UndoInput {
  /** The revision to restore. */
  readonly revision: string;
  readonly before: readonly PageInTree[];
  readonly now: readonly PageInTree[];
  /** The changes since that revision. */
  readonly changes: readonly ContentChange[];
  /** The texts of the deleted pages. */
  readonly texts: ReadonlyMap<string, string>;
  readonly variables: Readonly<Record<string, string | number | boolean>>;
}

/** Lists the pages that were deleted since the revision. Their texts are needed to restore them. */
export function listDeletedPages({ before, now }: Pick<UndoInput, "before" | "now">): readonly string[] {
  const present = indexPagePositions(now);
  return [...indexPagePositions(before)]
    .filter(([id, { page }]) => !present.has(id) && page.kind === "sheet")
    .map(([id]) => id);
}

/** Builds the changes that restore a revision. A deleted page is created again, and its subpages are moved into it. */
export function buildUndoChanges({ revision, before: then, now, changes, texts, variables }: UndoInput): ContentEdit[] {
  const [before, present] = [indexPagePositions(then), indexPagePositions(now)];
  const edited = new Set(changes.flatMap((it) => (it.type === "page_edited" ? [it.page.id] : [])));
  const made: ContentEdit[] = [];
  /** Returns the ids of the earlier pages in a parent, in their order. */
  const getOrder = (places: ReadonlyMap<string, TreePosition>, into: string | null) =>
    [...places].flatMap(([id, it]) => (it.into === into && before.has(id) ? [id] : [])).join(" ");
  for (const [id, { page, into, at }] of before) {
    const above = into === null || present.has(into) ? into : `back-${into}`;
    if (!present.has(id)) {
      const { title, slug, emoji, icon, hidden, condition, kind, target } = page;
      const marks = {
        slug,
        ...omitUndefined({
          emoji: emoji ? emoji : undefined,
          icon: icon ? icon : undefined,
          hidden: hidden ? hidden : undefined,
          condition: condition ? condition : undefined,
        }),
      };
      const ref = `back-${id}`;
      const markdown = texts.get(id);
      if (kind === "group") made.push({ operation: "insert_group", title, at, ref, ...marks });
      else if (kind === "link") {
        if (target) made.push({ operation: "insert_link", title, target, into: above, at, ref, ...marks });
      } else if (markdown !== undefined)
        made.push({ operation: "insert_page", title, into: above, at, ref, document: { markdown }, ...marks });
    } else {
      // Moved one after another, they end up before all new pages.
      if (getOrder(before, into) !== getOrder(present, into))
        made.push({ operation: "move_page", page: id, into: above, at });
      if (edited.has(id)) made.push({ operation: "revert_page", page: id, revision });
    }
  }
  // Subpages are deleted with their page.
  for (const [id, { into }] of present)
    if (!before.has(id) && (into === null || before.has(into))) made.push({ operation: "delete_page", page: id });
  const changed = changes.flatMap((it) => ("variable" in it ? [it.variable.name] : []));
  if (changed.length > 0)
    made.push({
      operation: "set_variables",
      variables: Object.fromEntries(changed.map((name) => [name, variables[name] ?? null])),
    });
  return made;
}

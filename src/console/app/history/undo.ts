// What brings the pages of a space back to an earlier state: the changes that undo what was done since, page by page.

import type { ContentChange } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import type { Change, PageInTree } from "../space/place";

/** A page as it stood in a tree. */
interface Stood {
  readonly page: PageInTree;
  readonly into: string | null;
  readonly at: number;
}

function placesOf(pages: readonly PageInTree[], into: string | null = null): Map<string, Stood> {
  const found = new Map<string, Stood>();
  for (const [at, page] of pages.entries()) {
    found.set(page.id, { page, into, at });
    for (const [id, stood] of placesOf(page.pages, page.id)) found.set(id, stood);
  }
  return found;
}

export interface Undoing {
  /** The revision to come back to. */
  readonly revision: string;
  readonly before: readonly PageInTree[];
  readonly now: readonly PageInTree[];
  /** What was changed since. */
  readonly changes: readonly ContentChange[];
  /** The texts of pages that are gone, as they were. */
  readonly texts: ReadonlyMap<string, string>;
  readonly variables: Readonly<Record<string, string | number | boolean>>;
}

/** The pages that were deleted since. Their texts are needed. */
export function deletedSince({ before, now }: Pick<Undoing, "before" | "now">): readonly string[] {
  const present = placesOf(now);
  return [...placesOf(before)].filter(([id, { page }]) => !present.has(id) && page.kind === "sheet").map(([id]) => id);
}

/** A page that is brought back is a new one. Those below it are put into it. */
export function undoing({ revision, before: then, now, changes, texts, variables }: Undoing): Change[] {
  const [before, present] = [placesOf(then), placesOf(now)];
  const edited = new Set(changes.flatMap((it) => (it.type === "page_edited" ? [it.page.id] : [])));
  const made: Change[] = [];
  /** The old pages in a place, in their order. */
  const orderIn = (places: ReadonlyMap<string, Stood>, into: string | null) =>
    [...places].flatMap(([id, it]) => (it.into === into && before.has(id) ? [id] : [])).join(" ");
  for (const [id, { page, into, at }] of before) {
    const above = into === null || present.has(into) ? into : `back-${into}`;
    if (!present.has(id)) made.push(...broughtBack(page, above, at, texts.get(id)));
    else {
      // One after another they come to stand before all that is new there.
      if (orderIn(before, into) !== orderIn(present, into))
        made.push({ operation: "move_page", page: id, into: above, at });
      if (edited.has(id)) made.push({ operation: "revert_page", page: id, revision });
    }
  }
  // Pages below a page that goes, go with it.
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

function broughtBack(page: PageInTree, into: string | null, at: number, markdown: string | undefined): Change[] {
  const { title, slug, emoji, icon, hidden, condition } = page;
  const marks = {
    slug,
    ...omitUndefined({
      emoji: emoji ? emoji : undefined,
      icon: icon ? icon : undefined,
      hidden: hidden ? hidden : undefined,
      condition: condition ? condition : undefined,
    }),
  };
  const ref = `back-${page.id}`;
  if (page.kind === "group") return [{ operation: "insert_group", title, at, ref, ...marks }];
  if (page.kind === "link")
    return page.target ? [{ operation: "insert_link", title, target: page.target, into, at, ref, ...marks }] : [];
  if (markdown === undefined) return [];
  return [{ operation: "insert_page", title, into, at, ref, document: { markdown }, ...marks }];
}

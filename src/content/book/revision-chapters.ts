// The chapters of a revision, as its table of contents lists them.

import type { Steps } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import { getDefaultTitle } from "../revision/computed";
import { getRefHref } from "../revision/document-input";
import type { PageEntry } from "../revision/entries";
import type { PageTree } from "../revision/page-tree";
import type { WithId } from "../revision/view";
import { createSlug } from "../slugs";
import type { Chapter } from "./book";
import { BROKEN_HREF, getRefId } from "./page-text";
import { encodeLinkPath } from "./paths";

/** The knowledge about pages that their chapters need. */
export interface PageInfo {
  /** Returns the path of a page or a file. */
  readonly getPath: (id: string) => string | undefined;
  /** Returns the title of a document in the table of contents. */
  readonly getTitle: (id: string) => string;
  /** Returns whether a document has no file. */
  readonly isDraft: (page: WithId<PageEntry>) => boolean;
  /** Returns the slug that the current table of contents states for a group with a title. */
  readonly getGroupSlug: (title: string) => string | undefined;
}

/** Builds the chapters below a page of a revision, or all of them. */
export function* buildChaptersInSteps(tree: PageTree, info: PageInfo, parent: string | null = null): Steps<Chapter[]> {
  const chapters: Chapter[] = [];
  for (const page of tree.get(parent) ?? []) {
    yield;
    const { id, title, slug } = page;
    if (page.type === "computed") {
      // The title is written if the definition does not give it.
      const { computed: yaml = "" } = page;
      const stated = omitUndefined({ title: title === getDefaultTitle(yaml) ? undefined : title });
      chapters.push({ kind: "computed", ...stated, yaml });
    } else if (page.type === "link") chapters.push({ kind: "link", title, href: getLinkHref(page, info) });
    else {
      const inside = yield* buildChaptersInSteps(tree, info, id);
      if (page.type === "document") {
        const draft = omitUndefined({ isDraft: info.isDraft(page) ? (true as const) : undefined });
        chapters.push({ kind: "page", path: info.getPath(id)!, title: info.getTitle(id), ...draft, chapters: inside });
        continue;
      }
      // The slug is written if the title does not give it. A number at its end came from its siblings.
      const statedSlug = info.getGroupSlug(title);
      const expectedSlug = statedSlug ?? createSlug(title);
      const isExpected = slug === expectedSlug || slug.replace(/-\d+$/, "") === expectedSlug;
      const stated = omitUndefined({ slug: isExpected ? statedSlug : slug });
      chapters.push({ kind: "group", title, ...stated, chapters: inside });
    }
  }
  return chapters;
}

/** Returns the href of a link page. A `#` distinguishes a link to a page from the page itself. */
function getLinkHref({ target }: PageEntry, { getPath }: PageInfo): string {
  if (!target) return BROKEN_HREF;
  const id = getRefId(target);
  if (id === undefined) return getRefHref(target);
  const path = getPath(id);
  if (path === undefined) return BROKEN_HREF;
  if (target.kind === "file") return encodeLinkPath(path);
  return `${encodeLinkPath(path)}#${target.kind === "anchor" ? target.anchor : ""}`;
}

// The chapters that a revision has, as its table of contents is to list them.

import { omitUndefined } from "../../utils/objects";
import type { Steps } from "../markdown/steps";
import { getDefaultTitle } from "../revision/computed";
import { getRefHref } from "../revision/document-input";
import type { PageEntry } from "../revision/entries";
import type { PageTree } from "../revision/page-tree";
import type { WithId } from "../revision/view";
import { createSlug } from "../slugs";
import type { Chapter } from "./book";
import { BROKEN, idIn } from "./page-text";
import { encodedPath } from "./paths";

type Page = WithId<PageEntry>;

/** What the table of contents has to be told of pages. */
export interface Telling {
  readonly pathOf: (id: string) => string | undefined;
  /** What it calls a document. */
  readonly titleOf: (page: Page) => string;
  /** Whether a document has no file. */
  readonly isDraft: (page: Page) => boolean;
  /** The slug that it states for a group of this title by now; undefined when it states none. */
  readonly slugOf: (title: string) => string | undefined;
}

/** The chapters of a revision. */
export function* chaptersIn(tree: PageTree, telling: Telling, parent: string | null = null): Steps<Chapter[]> {
  const chapters: Chapter[] = [];
  for (const page of tree.get(parent) ?? []) {
    yield;
    if (page.type === "computed") chapters.push(computedChapter(page));
    else if (page.type === "link") chapters.push({ kind: "link", title: page.title, href: hrefFor(page, telling) });
    else chapters.push(chapterOf(page, telling, yield* chaptersIn(tree, telling, page.id)));
  }
  return chapters;
}

/** A group or a document, with the chapters below it. */
function chapterOf(page: Page, telling: Telling, chapters: readonly Chapter[]): Chapter {
  if (page.type === "group") return { kind: "group", title: page.title, ...pinned(page, telling), chapters };
  const draft = telling.isDraft(page) ? { draft: true as const } : {};
  return { kind: "page", path: telling.pathOf(page.id)!, title: telling.titleOf(page), ...draft, chapters };
}

/** A computed page, with its title where its source does not give it. */
function computedChapter({ title, computed: yaml = "" }: Page): Chapter {
  return { kind: "computed", ...omitUndefined({ title: title === getDefaultTitle(yaml) ? undefined : title }), yaml };
}

/** Where a link page leads, for a table of contents. A `#` tells a link to a page from the page itself. */
function hrefFor({ target }: Page, { pathOf }: Telling): string {
  if (!target) return BROKEN;
  const id = idIn(target);
  if (id === undefined) return getRefHref(target);
  const path = pathOf(id);
  if (path === undefined) return BROKEN;
  if (target.kind === "file") return encodedPath(path);
  return `${encodedPath(path)}#${target.kind === "anchor" ? target.anchor : ""}`;
}

/** The slug of a group is written where its title does not give it. A number at its end came from its siblings. */
function pinned(page: Page, telling: Telling): { readonly slug?: string } {
  const stated = telling.slugOf(page.title);
  const plain = page.slug.replace(/-\d+$/, "");
  const given = stated ?? createSlug(page.title);
  if (page.slug === given || plain === given) return stated === undefined ? {} : { slug: stated };
  return { slug: page.slug };
}

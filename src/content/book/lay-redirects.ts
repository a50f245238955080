// The redirects of a book in a revision: from an old path to a page, a place on a page, or a URL. One that cannot work is
// reported with its reason.

import type { ContentRef } from "../document";
import { isSafeUrl } from "../document/safe-url";
import { isDeepEqual } from "../page-source/yaml";
import { createAliasEntry } from "../revision/aliases";
import type { Draft } from "../revision/draft";
import { keys, type RedirectEntry } from "../revision/entries";
import { normalizeRedirectPath } from "../revision/view";
import type { Redirects, Skipped } from "./book";
import { type Laying, turn } from "./laying";
import { filesMeant, isUrl, splitHref } from "./paths";

/** Makes the redirects of a revision those of the book: of its settings, and of the texts of its pages. */
export async function layRedirects(laying: Laying): Promise<void> {
  const { draft, book, standing, skipped } = laying;
  const pageAt = (path: string) =>
    filesMeant("README.md", path)
      .map((it) => standing.get(it)?.page)
      .find((id) => id !== undefined);
  const wanted = new Map<string, RedirectEntry>();
  const skip = (from: string, why: string) =>
    skipped.push({ resource: from, reason: `This redirect cannot work: ${why}.` });
  for (const [from, written] of Object.entries(book.redirects)) {
    const to = (await isPage(draft, from)) ? IN_THE_WAY : targetOf(book.redirects, written, pageAt);
    if (typeof to === "string") skip(from, to);
    else wanted.set(keys.redirect(from), { from, to });
  }
  for (const { key, value } of await draft.list({ under: keys.allAliases })) {
    const page = key.slice(keys.allAliases.length);
    await turn(laying);
    for (const from of value as readonly string[]) {
      const why = await whyNot(draft, page, from, wanted.get(keys.redirect(from)));
      if (why !== undefined) skip(from, why);
      else if (!wanted.has(keys.redirect(from))) wanted.set(keys.redirect(from), createAliasEntry(from, page));
    }
  }
  for (const { key, value } of await draft.list({ under: keys.redirects })) {
    if (!wanted.has(key)) draft.delete(key);
    else if (isDeepEqual(value, wanted.get(key))) wanted.delete(key);
  }
  for (const [key, entry] of wanted) draft.put(key, entry);
}

const IN_THE_WAY = "a page stands at this path, and pages come first";

/** Why an old path does not lead to a page; `other` is what leads from there. */
async function whyNot(
  draft: Draft,
  page: string,
  from: string,
  other: RedirectEntry | undefined,
): Promise<string | undefined> {
  if (other && !("page" in other.to && other.to.page === page)) return "there is another one from the same path";
  return (await draft.getPagePath(page)) !== from && (await isPage(draft, from)) ? IN_THE_WAY : undefined;
}

/** The old paths of added pages that lead elsewhere, and why. */
export async function deadAliases(
  adding: Pick<Laying, "draft" | "tools">,
  pages: Iterable<string>,
): Promise<Skipped[]> {
  const { draft } = adding;
  const skipped: Skipped[] = [];
  for (const page of pages) {
    await turn(adding);
    for (const from of ((await draft.get(keys.aliases(page))) ?? []) as readonly string[]) {
      const entry = (await draft.get(keys.redirect(from))) as RedirectEntry | undefined;
      const why = await whyNot(draft, page, from, entry);
      if (why !== undefined) skipped.push({ resource: from, reason: `This redirect cannot work: ${why}.` });
    }
  }
  return skipped;
}

/** Whether a page has a path now. */
async function isPage(draft: Draft, path: string): Promise<boolean> {
  const page = await draft.findPageByPath(path);
  return page !== undefined && (await draft.getPagePath(page.id)) === path;
}

/** How many redirects lead from one to the next at the most. */
const MAX_HOPS = 10;

/** What a redirect means, or why it means nothing. */
function targetOf(
  redirects: Redirects,
  written: string,
  pageAt: (path: string) => string | undefined,
): ContentRef | string {
  let to = written;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    if (isUrl(to))
      return /^https?:\/\/./i.test(to) && isSafeUrl(to) ? { kind: "url", url: to } : "its address cannot be linked to";
    const { path, anchor } = splitHref(to);
    if (path.startsWith("..")) return "its target is outside of the book";
    const page = pageAt(path);
    if (page !== undefined) return anchor ? { kind: "anchor", page, anchor } : { kind: "page", page };
    const name = normalizeRedirectPath(path);
    if (!Object.hasOwn(redirects, name)) return `there is no page at ${path || "/"}`;
    to = redirects[name]!;
  }
  return "it leads from redirect to redirect, and to no page";
}

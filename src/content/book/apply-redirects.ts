// Applies the redirects of a book to a revision: from a former path to a page, a place on a page, or a URL. A redirect that
// cannot work is reported with the reason.

import { yieldToOthers } from "../../utils/concurrency/steps";
import type { ContentRef } from "../document";
import { isSafeUrl } from "../document/safe-url";
import { isDeepEqual } from "../page-source/yaml";
import type { Draft } from "../revision/draft";
import { keys, type RedirectEntry } from "../revision/entries";
import { normalizeRedirectPath } from "../revision/view";
import type { ApplyContext } from "./apply-context";
import type { BookRedirects, SkippedItem } from "./book";
import { isUrl, listCandidatePaths, splitHref } from "./paths";

/** The most redirects in a chain. */
const MAX_HOPS = 10;

const PAGE_AT_PATH = "a page stands at this path, and pages come first";

/** Makes the redirects of a revision those of the book: of its settings, and of the texts of its pages. */
export async function applyRedirects(context: ApplyContext): Promise<void> {
  const { draft, book, pathEntries, skipped } = context;
  const findPage = (path: string) =>
    listCandidatePaths("README.md", path)
      .map((candidate) => pathEntries.get(candidate)?.page)
      .find((id) => id !== undefined);

  const entries = new Map<string, RedirectEntry>();
  for (const [from, target] of Object.entries(book.redirects)) {
    const result = (await isPagePath(draft, from)) ? PAGE_AT_PATH : resolveTarget(book.redirects, target, findPage);
    if (typeof result === "string") skipped.push({ resource: from, reason: `This redirect is ignored: ${result}.` });
    else entries.set(keys.redirect(from), { from, to: result });
  }

  for (const { key, value } of await draft.list({ under: keys.allAliases })) {
    const page = key.slice(keys.allAliases.length);
    await yieldToOthers(context.tools);
    for (const from of value as readonly string[]) {
      const redirectKey = keys.redirect(from);
      const problem = await findAliasProblem(draft, page, from, entries.get(redirectKey));
      if (problem !== undefined) skipped.push({ resource: from, reason: `This redirect is ignored: ${problem}.` });
      else if (!entries.has(redirectKey)) entries.set(redirectKey, { from, to: { kind: "page", page }, isAlias: true });
    }
  }

  for (const { key, value } of await draft.list({ under: keys.redirects })) {
    if (!entries.has(key)) draft.delete(key);
    else if (isDeepEqual(value, entries.get(key))) entries.delete(key);
  }
  for (const [key, entry] of entries) draft.put(key, entry);
}

/** Returns the target of a redirect, or why it has none. Chains of redirects are followed. */
function resolveTarget(
  redirects: BookRedirects,
  target: string,
  findPage: (path: string) => string | undefined,
): ContentRef | string {
  let current = target;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    if (isUrl(current)) {
      const canLink = /^https?:\/\/./i.test(current) && isSafeUrl(current);
      return canLink ? { kind: "url", url: current } : "its address cannot be linked to";
    }
    const { path, anchor } = splitHref(current);
    if (path.startsWith("..")) return "its target is outside of the book";
    const page = findPage(path);
    if (page !== undefined) return anchor ? { kind: "anchor", page, anchor } : { kind: "page", page };
    const name = normalizeRedirectPath(path);
    if (!Object.hasOwn(redirects, name)) return `there is no page at ${path || "/"}`;
    current = redirects[name]!;
  }
  return "it leads from redirect to redirect, and to no page";
}

/** Returns the former paths of added pages that do not lead to these pages, with the reasons. */
export async function listBrokenAliases(
  context: Pick<ApplyContext, "draft" | "tools">,
  pages: Iterable<string>,
): Promise<SkippedItem[]> {
  const { draft } = context;
  const skipped: SkippedItem[] = [];
  for (const page of pages) {
    await yieldToOthers(context.tools);
    for (const from of ((await draft.get(keys.aliases(page))) ?? []) as readonly string[]) {
      const redirect = (await draft.get(keys.redirect(from))) as RedirectEntry | undefined;
      const problem = await findAliasProblem(draft, page, from, redirect);
      if (problem !== undefined) skipped.push({ resource: from, reason: `This redirect is ignored: ${problem}.` });
    }
  }
  return skipped;
}

/** Returns why a former path does not lead to its page, or undefined if it does. `redirect` is what leads from there. */
async function findAliasProblem(
  draft: Draft,
  page: string,
  from: string,
  redirect: RedirectEntry | undefined,
): Promise<string | undefined> {
  if (redirect && !("page" in redirect.to && redirect.to.page === page))
    return "there is another one from the same path";
  return (await draft.getPagePath(page)) !== from && (await isPagePath(draft, from)) ? PAGE_AT_PATH : undefined;
}

async function isPagePath(draft: Draft, path: string): Promise<boolean> {
  const page = await draft.findPageByPath(path);
  return page !== undefined && (await draft.getPagePath(page.id)) === path;
}

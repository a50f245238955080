// What an import did, as it is kept: counts that agree with the revision, and what was skipped, without anything that a URL
// may hold in secret.

import type { Added } from "../../../content/book/add";
import type { Book, Skipped } from "../../../content/book/book";
import { pagesIn } from "../../../content/book/read";
import { readAddress } from "../../../web-address";

/** The most lines of a report; a crawl puts what is beyond a thousand together by reason. */
const MAX_SKIPPED = 1200;
/** The most characters of a name or a reason. */
const MAX_LENGTH = 500;

/** How much of what was found is in the revision. Files with the same bytes are one. */
export function countsOf(book: Book, total: number, added: Pick<Added, "files" | "reusableContents">) {
  const pages = [...pagesIn(book.chapters)].filter(({ path, draft }) => !draft && book.texts.has(path)).length;
  const importedResources = pages + added.files + added.reusableContents;
  const totalResources = Math.max(importedResources, total - (book.files.size - added.files));
  return { importedResources, totalResources };
}

/** What was skipped, as it is kept. */
export function kept(skipped: readonly Skipped[]): Skipped[] {
  const listed = skipped.slice(0, MAX_SKIPPED).map(({ resource, reason }) => ({
    resource: cut(withoutSecrets(resource)),
    reason: cut(reason.replace(/https?:\/\/[^\s"<>]+/gi, withoutSecrets)),
  }));
  const more = skipped.length - listed.length;
  return more > 0 ? [...listed, { resource: "…", reason: `${more} more are not listed.` }] : listed;
}

/** An address without name, password and query: each may be what opens it. Anything else stays as it is. */
export function withoutSecrets(address: string): string {
  if (!/^https?:/i.test(address)) return address;
  const url = readAddress(address);
  if (!url) return address.replace(/^(https?:\/*)[^/?#]*@/i, "$1").replace(/\?.*/s, "?…");
  return `${url.origin}${url.pathname}${url.search === "" ? "" : "?…"}`;
}

function cut(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

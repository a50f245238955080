// The stored report of an import: counts that match the revision, and what was skipped, without secrets from URLs.

import type { AddBookResult } from "../../../content/book/add-book";
import {
  type Book,
  countComputedChapters,
  type OmittedPart,
  type SkippedItem,
  walkPages,
} from "../../../content/book/book";
import { tryParseUrl } from "../../../utils/url";
import type { Told } from "./told";

/** The most lines of a report. A crawl groups everything beyond a thousand by reason. */
const MAX_SKIPPED = 1200;
/** The most characters of a name or a reason. */
const MAX_LENGTH = 500;

/** How much of the source is in the revision. Files with the same bytes count once. */
export function countsOf(book: Book, foundCount: number, added: Pick<AddBookResult, "files" | "reusableContents">) {
  const texts = [...walkPages(book.chapters)].filter(({ path, isDraft }) => !isDraft && book.texts.has(path)).length;
  const pages = texts + countComputedChapters(book.chapters);
  const importedResources = pages + added.files + added.reusableContents;
  const totalResources = Math.max(importedResources, foundCount - (book.files.size - added.files));
  return { importedResources, totalResources };
}

/** What was not taken, as it is stored; undefined if that is nothing. */
export function toldOf(skipped: readonly SkippedItem[], leftOut: readonly OmittedPart[]): string | undefined {
  if (skipped.length + leftOut.length === 0) return undefined;
  const told: Told = { skipped: kept(skipped), leftOut: leftOut.map((it) => ({ ...it, part: cut(it.part) })) };
  return JSON.stringify(told);
}

/** The skipped items, as they are stored. */
function kept(skipped: readonly SkippedItem[]): SkippedItem[] {
  const listed = skipped.slice(0, MAX_SKIPPED).map(({ resource, reason }) => ({
    resource: cut(withoutSecrets(resource)),
    reason: cut(reason.replace(/https?:\/\/[^\s"<>]+/gi, withoutSecrets)),
  }));
  const more = skipped.length - listed.length;
  return more > 0 ? [...listed, { resource: "…", reason: `${more} more are not listed.` }] : listed;
}

/** A URL without name, password and query, because each may be a secret. Other texts stay as they are. */
export function withoutSecrets(address: string): string {
  if (!/^https?:/i.test(address)) return address;
  const url = tryParseUrl(address);
  if (!url) return address.replace(/^(https?:\/*)[^/?#]*@/i, "$1").replace(/\?.*/s, "?…");
  return `${url.origin}${url.pathname}${url.search === "" ? "" : "?…"}`;
}

function cut(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

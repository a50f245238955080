// Names in an export of Notion: a title, often cut short, and behind it the id of the page.

import { getBaseName } from "../../content/book/paths";
import { trimTrailingSlashes } from "../../utils/url";

const ID = /(?:^|[ -])([0-9a-f]{32})$/i;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What a name says. */
export interface Named {
  readonly title: string;
  readonly id: string | undefined;
}

/** A name without its ending, taken apart. */
export function named(stem: string): Named {
  const found = ID.exec(stem);
  const uuid = found ? undefined : UUID.exec(stem);
  const id = found?.[1] ?? uuid?.[0].replaceAll("-", "");
  const title = (found ?? uuid) ? stem.slice(0, (found ?? uuid)!.index) : stem;
  return { title: title.trim() || "Untitled", id: id?.toLowerCase() };
}

/** The id of the page that an address of Notion leads to, or that a file's name carries. */
export function idIn(path: string): string | undefined {
  const last = getBaseName(trimTrailingSlashes(path)).replace(/(?:_all)?\.(?:md|html|csv)$/i, "");
  return named(last).id;
}

/** Whether an address is one of Notion. */
export function isNotion(url: string): boolean {
  return /^https?:\/\/(?:www\.|app\.|[\w-]+\.)?notion\.(?:so|site|com)\//i.test(url);
}

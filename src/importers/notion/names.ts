// Names in an export of Notion: a title, often cut short, and after it the id of the page.

import { getBaseName } from "../../content/book/paths";
import { trimTrailingSlashes } from "../../utils/url";

const ID = /(?:^|[ -])([0-9a-f]{32})$/i;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface NotionName {
  readonly title: string;
  readonly id: string | undefined;
}

/** Splits a name without its extension into its parts. */
export function parseNotionName(stem: string): NotionName {
  const id = ID.exec(stem);
  const uuid = id ? undefined : UUID.exec(stem);
  const title = stem.slice(0, (id ?? uuid)?.index);
  return {
    title: title.trim() || "Untitled",
    id: (id?.[1] ?? uuid?.[0].replaceAll("-", ""))?.toLowerCase(),
  };
}

/** Returns the id of the page that a URL of Notion leads to, or that the name of a file has. */
export function findNotionId(path: string): string | undefined {
  const name = getBaseName(trimTrailingSlashes(path)).replace(/(?:_all)?\.(?:md|html|csv)$/i, "");
  return parseNotionName(name).id;
}

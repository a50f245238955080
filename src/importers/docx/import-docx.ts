// Imports a Word document from a URL.

import { omitUndefined } from "../../utils/objects";
import { getStem } from "../archive/paths";
import { download } from "../download";
import type { DownloadSource, ImportedBook } from "../imported-book";
import { readDocx } from "./read-docx";

/** Imports a Word document. */
export async function importDocx({ url, fetch, limits = {} }: DownloadSource): Promise<ImportedBook> {
  const { bytes, name } = await download(url, fetch, limits.maxBytes);
  const title = getStem(name).trim();
  return readDocx(bytes, omitUndefined({ name: title === "" ? undefined : title, limits: limits.archive }));
}

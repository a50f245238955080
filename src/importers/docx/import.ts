// A Word document from an address.

import { omitUndefined } from "../../utils/objects";
import { stemOf } from "../archive/paths";
import { download } from "../download";
import type { DownloadSource, ImportedBook } from "../imported-book";
import { readDocx } from "./read";

/** Imports a Word document. */
export async function importDocx({ url, fetch, limits = {} }: DownloadSource): Promise<ImportedBook> {
  const { bytes, name } = await download(url, fetch, limits.maxBytes);
  const title = stemOf(name).trim();
  return readDocx(bytes, {
    ...omitUndefined({ name: title === "" ? undefined : title, limits: limits.archive }),
  });
}

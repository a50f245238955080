// A Word document from an address.

import { stemOf } from "../archive/paths";
import { download } from "../download";
import type { Imported, Source } from "../imported";
import { readDocx } from "./read";

/** Imports a Word document. */
export async function importDocx({ url, fetch, limits = {} }: Source): Promise<Imported> {
  const { bytes, name } = await download(url, fetch, limits.download);
  const title = stemOf(name).trim();
  return readDocx(bytes, {
    ...(title === "" ? {} : { name: title }),
    ...(limits.archive ? { limits: limits.archive } : {}),
  });
}

// The basenames of sites: their names in URLs, each the name of one site of the organization.

import { freeNumber } from "../../../content/free-number";
import { numberedSlug, slugOf } from "../../../content/slugs";
import type { Reader } from "../../../store/transaction";
import { sites } from "../records";

/** A basename that is free, made from a title. */
export async function freeBasename(tx: Reader, title: string): Promise<string> {
  const slug = slugOf(title);
  const named = (number: number) => (number === 0 ? slug : numberedSlug(slug, number));
  return named(await freeNumber(async (number) => (await sites.find(tx, "basename", named(number))) !== undefined));
}

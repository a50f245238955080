// The basenames of sites, which name them in URLs. A basename is unique in its organization.

import { findFreeNumber } from "../../../content/free-number";
import { addNumberToSlug, createSlug } from "../../../content/slugs";
import type { Reader } from "../../../storage/transaction";
import { sites } from "../records";

/** A free basename, made from a title. */
export async function freeBasename(tx: Reader, title: string): Promise<string> {
  const slug = createSlug(title);
  const named = (number: number) => (number === 0 ? slug : addNumberToSlug(slug, number));
  return named(await findFreeNumber(async (number) => (await sites.find(tx, "basename", named(number))) !== undefined));
}

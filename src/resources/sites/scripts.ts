// The scripts that a site's pages carry. Integrations bring them; as long as there are none of those, a site has no scripts.

import type * as v from "valibot";
import type { Reader } from "../../store/transaction";
import type { Script } from "./published-schema";
import type { SiteRecord } from "./records";

/** The scripts of what is installed on a site, in the order in which they run. */
export async function publishedScripts(_tx: Reader, _site: SiteRecord): Promise<v.InferOutput<typeof Script>[]> {
  return [];
}

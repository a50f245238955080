// One ranking over several indexes: what is counted in each of them is added up first, and each ranks by the sum. So the scores
// are those of one index with all pages, and nothing about pages that are not ranked has any part in them.

import { loadSearch } from "../../../content/lazy";
import type { RankingScope, SearchFindings, SearchIndex } from "../../../content/search";

/** Pages of one index that are ranked. */
export interface IndexPart {
  /** Runs with the index, and with the pages of it that are ranked. */
  readonly use: <T>(run: (index: SearchIndex, isIn: RankingScope["includes"]) => T) => Promise<T>;
}

/** What was found in a part. */
export interface PartFindings<Part extends IndexPart> extends SearchFindings {
  readonly part: Part;
}

/** Ranks the pages of several parts as one: of each the best, as many as `most` says, or all in no order. */
export async function rankTogether<Part extends IndexPart>(
  parts: readonly Part[],
  query: string,
  most: (part: Part) => number | "all",
): Promise<PartFindings<Part>[]> {
  const { sumStatistics } = await loadSearch();
  const counted = [];
  if (parts.length > 1)
    for (const { use } of parts) counted.push(await use((index, isIn) => index.collectStatistics(query, isIn)));
  const statistics = counted.length === 0 ? undefined : sumStatistics(counted);
  const found: PartFindings<Part>[] = [];
  for (const part of parts) {
    const findings = await part.use((index, isIn) => {
      const scope: RankingScope = { includes: isIn, statistics };
      const limit = most(part);
      return limit === "all" ? index.searchAll(query, scope) : index.search(query, limit, 0, scope);
    });
    found.push({ part, ...findings });
  }
  return found;
}

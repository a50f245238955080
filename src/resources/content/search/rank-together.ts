// One ranking over several indexes: the statistics of all indexes are summed first, and each index ranks by the sum. So the
// scores are those of one index with all pages, and pages that are not ranked have no influence on them.

import { loadSearch } from "../../../content/lazy";
import type { RankingScope, SearchFindings, SearchIndex } from "../../../content/search";

/** Pages of one index that are ranked. */
export interface IndexPart {
  /** Calls `run` with the index, and with the filter of the pages that are ranked. */
  readonly use: <T>(run: (index: SearchIndex, isIn: RankingScope["includes"]) => T) => Promise<T>;
}

/** The matches in a part. */
export interface PartFindings<Part extends IndexPart> extends SearchFindings {
  readonly part: Part;
}

/** Ranks the pages of several parts together. `getLimit` says how many of the best pages of a part are returned, or all. */
export async function rankTogether<Part extends IndexPart>(
  parts: readonly Part[],
  query: string,
  getLimit: (part: Part) => number | "all",
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
      const limit = getLimit(part);
      return limit === "all" ? index.searchAll(query, scope) : index.search(query, limit, 0, scope);
    });
    found.push({ part, ...findings });
  }
  return found;
}

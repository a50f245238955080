// Limits of attempts, in the directory, so that all processes count together. What is counted is stored as a keyed digest:
// the directory does not collect the addresses of strangers.

import { DocsError } from "../../../errors";
import { defineRecordSet } from "../../../storage/records";
import { type Secrets, toBase64url } from "../../../storage/secrets";
import type { Transaction } from "../../../storage/transaction";

type LimitRecord = {
  readonly key: string;
  readonly used: number;
  /** When counting begins anew. */
  readonly endsAt: string;
};

export const limits = defineRecordSet("sign-in-limit", {
  key: (limit: LimitRecord) => [limit.key],
  indexes: { endsAt: (limit) => [limit.endsAt] },
});

/** How often something may be tried. */
export interface Limit {
  /** What is counted: a kind and whom it is about. Nothing that a caller can choose freely. */
  readonly of: readonly [kind: string, whom: string];
  readonly most: number;
  readonly minutes: number;
}

/** Counts an attempt under each limit. Throws `rate_limited` when one is used up; then nothing is counted. */
export async function countAttempt(
  tx: Transaction,
  secrets: Pick<Secrets, "digest">,
  now: Date,
  counted: readonly Limit[],
): Promise<void> {
  for (const { of, most, minutes } of counted) {
    const key = toBase64url(secrets.digest("sign-in", JSON.stringify(["limit", ...of])));
    const before = await limits.get(tx, key);
    const isOpen = before !== undefined && before.endsAt > now.toISOString();
    const { used, endsAt } = isOpen
      ? before
      : { used: 0, endsAt: new Date(now.getTime() + minutes * 60_000).toISOString() };
    if (used >= most) {
      const seconds = Math.max(1, Math.ceil((Date.parse(endsAt) - now.getTime()) / 1000));
      throw new DocsError("rate_limited", { headers: { "retry-after": String(seconds) } });
    }
    await limits.put(tx, { key, used: used + 1, endsAt });
  }
}

// Limits attempts to sign in. The counts are in the directory, so that all processes share them. Only keyed digests of the
// subjects are stored: the directory does not collect the addresses of strangers.

import { DocsError } from "../../../errors";
import { defineRecordSet } from "../../../storage/records";
import { type Secrets, toBase64url } from "../../../storage/secrets";
import type { Transaction } from "../../../storage/transaction";

type AttemptCountRecord = {
  readonly key: string;
  readonly used: number;
  /** The time at which counting starts over. */
  readonly endsAt: string;
};

export const attemptCounts = defineRecordSet("sign-in-limit", {
  key: (limit: AttemptCountRecord) => [limit.key],
  indexes: { endsAt: (limit) => [limit.endsAt] },
});

/** The most attempts of a subject in a period. */
export interface AttemptLimit {
  /** A kind of attempt and the person or address that it is about, which a caller cannot choose freely. */
  readonly subject: readonly [kind: string, whom: string];
  readonly maxAttempts: number;
  readonly periodMinutes: number;
}

/** Counts an attempt under each limit. Throws `rate_limited` if one is used up; then nothing is counted. */
export async function countAttempt(
  tx: Transaction,
  secrets: Pick<Secrets, "digest">,
  now: Date,
  counted: readonly AttemptLimit[],
): Promise<void> {
  for (const { subject: of, maxAttempts: most, periodMinutes: minutes } of counted) {
    const key = toBase64url(secrets.digest("sign-in", JSON.stringify(["limit", ...of])));
    const before = await attemptCounts.get(tx, key);
    const isOpen = before !== undefined && before.endsAt > now.toISOString();
    const { used, endsAt } = isOpen
      ? before
      : { used: 0, endsAt: new Date(now.getTime() + minutes * 60_000).toISOString() };
    if (used >= most) {
      const seconds = Math.max(1, Math.ceil((Date.parse(endsAt) - now.getTime()) / 1000));
      throw new DocsError("rate_limited", { headers: { "retry-after": String(seconds) } });
    }
    await attemptCounts.put(tx, { key, used: used + 1, endsAt });
  }
}

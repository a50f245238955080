// Answers to questions that are asked again: by somebody who goes back, or by many visitors of a site. An answer is cached with
// the version of the partition that it was made from, so it is given again only while nothing has been written there.

import { hashFingerprint } from "../../../storage/secrets";
import type { Finding } from "./find-pages";

/** An answer with everything that it says. */
interface RememberedAnswer {
  /** Whether it stays the same until something is written. Other answers are not cached. */
  readonly isLasting: boolean;
}

/** The memory that an answer takes beside its text, about. */
const ANSWER_BYTES = 1000;

/** Returns the cached answer to a question, or makes and caches it. `question`: everything that the answer depends on beside the
 * records of the partition. */
export async function rememberAnswer<Answer extends RememberedAnswer>(
  { tx, jobContext }: Pick<Finding, "tx" | "jobContext">,
  question: readonly unknown[],
  make: () => Promise<Answer>,
): Promise<Answer> {
  const { cache } = jobContext.ports;
  const name = `search ${hashFingerprint(JSON.stringify(question))}`;
  const stamp = String(tx.version);
  const known = cache.get<Answer>(name, stamp);
  if (known) return known;
  const answer = await make();
  if (answer.isLasting) cache.set(name, stamp, answer, ANSWER_BYTES + 2 * JSON.stringify(answer).length);
  return answer;
}

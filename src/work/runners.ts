// Whoever works on something that has a queue of its own, such as the requests of a repository: named in its record, and left
// alone until a time. A claim that nobody let go of in that time belonged to a process that has ended; the second in a row is
// reason enough to give up what it was about, since it may be that which ends them.

import { MAX_DEATHS } from "./jobs";

/** Whoever works on something, and until when they are left alone. */
export interface Runner {
  readonly id: string;
  readonly until: number;
  /** How many before them never came to an end, one after the other. */
  readonly deaths?: number;
}

/** The claim of the next one, where the one before was not let go of in time. */
export function following(before: Runner | undefined, next: Pick<Runner, "id" | "until">): Runner {
  return before ? { ...next, deaths: (before.deaths ?? 0) + 1 } : next;
}

/** Whether so many have ended at this that nobody is to begin it again. */
export function isDeadly({ deaths = 0 }: Runner): boolean {
  return deaths >= MAX_DEATHS;
}

/** What is told of what is given up for that. */
export const DEADLY = `The server ended ${MAX_DEATHS} times while it was at it, so it is not tried again by itself.`;

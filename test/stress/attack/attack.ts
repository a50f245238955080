// The type of an attack: one or a few requests that once cost the server far more than they cost the caller.

/** One attack, as `npm run stress:attack` runs it: in a process of its own, once to warm up and once measured. */
export interface Attack {
  /** What is sent, in a few words. */
  readonly name: string;
  /** What it may cost: `few` bytes at most 100 ms of processor time, an input at its `size limit` at most 2 s, and the work of
   * a `job` at its limits 4 s: no request waits for all of it, and others have their turn. */
  readonly budget: "few" | "size limit" | "job";
  /** Why it holds up others for as long as it takes; left out: it lets them have their turn. */
  readonly inOnePiece?: string;
  /** Makes ready what the attacker finds, which is not measured, and gives the attack itself. An attack that returns
   * its traffic has it printed. */
  readonly prepare: () => Promise<() => Promise<Traffic | unknown>>;
}

/** The bytes that an attack sends, and those that it gets back. */
export interface Traffic {
  readonly sentBytes: number;
  readonly answerBytes: number;
}

/** The most processor time, in milliseconds. */
export const budgets: Readonly<Record<Attack["budget"], number>> = { few: 100, "size limit": 2_000, job: 4_000 };

/** The most that one stretch of an attack may take before others have their turn, in milliseconds of the processor. */
export const MAX_HELD_MS = 250;

// How tests catch a refusal of the Git client.

import { GitRefused } from "../../src/git/index";

/** The refusal that a call ends with; fails when it ends otherwise. */
export async function refusal(call: Promise<unknown>): Promise<GitRefused> {
  const outcome = await call.then(
    () => new Error("Nothing was refused."),
    (error: unknown) => error,
  );
  if (outcome instanceof GitRefused) return outcome;
  throw outcome;
}

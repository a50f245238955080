// Catches refusals of the Git client, and checks for each of them that it contains no secret.

import { inspect } from "node:util";
import { expect } from "vitest";
import { GitError } from "../../src/git/index";
import { AUTH } from "./server";

const SECRETS = [
  AUTH.password,
  encodeURIComponent(AUTH.password),
  Buffer.from(`${AUTH.username}:${AUTH.password}`).toString("base64"),
];

/** The refusal that a call ends with; fails when it ends otherwise, or when a secret is in it. */
export async function refusal(call: Promise<unknown>): Promise<GitError> {
  const outcome = await call.then(
    () => new Error("Nothing was refused."),
    (error: unknown) => error,
  );
  if (!(outcome instanceof GitError)) throw outcome;
  const all = inspect(outcome, { depth: 10, showHidden: true });
  for (const secret of SECRETS) expect(all).not.toContain(secret);
  expect(outcome.message).toMatch(/^\S.{10,400}$/u);
  return outcome;
}

// A part of an answer is better than none: what the caller may not read is left out.

import { DocsError } from "../../errors";

/** What was asked for; undefined when the caller may not have it. */
export async function unlessRefused<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DocsError && error.status === 403) return undefined;
    throw error;
  }
}

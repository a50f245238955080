// Turns the error of a unique name that is taken into an error for the caller.

import { createError, type Reason } from "../errors";
import { DuplicateError } from "../storage/records";

/** Waits for a `put`. Throws this error, or one with this reason, in place of a `DuplicateError`. */
export async function rejectDuplicates(put: Promise<void>, refusal: Reason | Error): Promise<void> {
  try {
    await put;
  } catch (error) {
    if (!(error instanceof DuplicateError)) throw error;
    throw typeof refusal === "string" ? createError(refusal) : refusal;
  }
}

// Turns the error of a unique name that is taken into an error for the caller.

import { createError, type Reason } from "../errors";
import { DuplicateError } from "../storage/records";

/** Waits for a `put`. Throws an error with this reason in place of a `DuplicateError`. */
export async function rejectDuplicates(put: Promise<void>, reason: Reason): Promise<void> {
  try {
    await put;
  } catch (error) {
    throw error instanceof DuplicateError ? createError(reason) : error;
  }
}

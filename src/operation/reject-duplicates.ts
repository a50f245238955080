// Turns the error of a unique name that is taken into a failure for the caller.

import { createError, type Reason } from "../errors";
import { DuplicateError } from "../storage/records";

/** Waits for a `put` and turns `DuplicateError` into the failure that names what is taken. */
export async function rejectDuplicates(put: Promise<void>, reason: Reason): Promise<void> {
  try {
    await put;
  } catch (error) {
    throw error instanceof DuplicateError ? createError(reason) : error;
  }
}

// Turns the error of a unique name that is taken into a failure for the caller.

import { failure, type Reason } from "../errors";
import { Taken } from "../storage/records";

/** Waits for a `put` and turns `Taken` into the failure that names what is taken. */
export async function unlessTaken(put: Promise<void>, reason: Reason): Promise<void> {
  try {
    await put;
  } catch (error) {
    throw error instanceof Taken ? failure(reason) : error;
  }
}

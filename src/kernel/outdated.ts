// Thrown by a handler when the state has changed since `prepare` read it. Then `prepare` runs again.

/** What was prepared no longer fits the state that the transaction sees. */
export class Outdated extends Error {
  constructor() {
    super("What was prepared is out of date.");
  }
}

// What a handler throws when the world has moved since `prepare` looked at it: the preparation is made again.

/** What was prepared no longer fits the state that the transaction sees. */
export class Outdated extends Error {
  constructor() {
    super("What was prepared is out of date.");
  }
}

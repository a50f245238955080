// The reasons why a change of content cannot be made.

/** A change that is refused. `path` is the member of the change that is wrong. */
export class ChangeError extends Error {
  constructor(
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

/** A change that is refused, with its index in the batch. */
export class BatchError extends Error {
  constructor(
    readonly index: number,
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

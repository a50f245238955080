// Why a change of content cannot be made.

/** A change that is refused: `path` names the member that is wrong, seen from the change. */
export class ChangeError extends Error {
  constructor(
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

/** A change that was refused, with its index in the batch. */
export class BatchError extends Error {
  constructor(
    readonly index: number,
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

// Why a change of content cannot be made.

/** A change that is refused: `path` names the member that is wrong, seen from the change. */
export class ChangeRefused extends Error {
  constructor(
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

// Cursors of lists: the position of the last row, sealed together with the list that it belongs to. A cursor of another list,
// or one that this API did not make, is refused. Rows that are added or removed do not shift it.

import { createError } from "../errors";
import { fromBase64url, type Secrets, toBase64url } from "../storage/secrets";
import type { Key } from "../storage/storage";
import type { RawInput, RegisteredOperation } from "./kernel";

const SEAL_BYTES = 16;
/** The length of the seal in base64url. */
const SEAL_LENGTH = 22;

export function sealCursor(secrets: Secrets, operation: RegisteredOperation, input: RawInput, position: Key): string {
  const encodedPosition = toBase64url(Uint8Array.from(position, (character) => character.charCodeAt(0)));
  const digest = secrets.digest("cursor", describeList(operation, input, encodedPosition));
  return toBase64url(digest.slice(0, SEAL_BYTES)) + encodedPosition;
}

/** Returns the position of the cursor in the query. Throws `invalid_cursor` if the cursor is not one of this list. */
export function openCursor(secrets: Secrets, operation: RegisteredOperation, input: RawInput): Key {
  const cursor = input.query.page;
  if (typeof cursor !== "string") throw createError("invalid_cursor");

  const seal = cursor.slice(0, SEAL_LENGTH);
  const encodedPosition = cursor.slice(SEAL_LENGTH);
  if (!secrets.isDigest("cursor", describeList(operation, input, encodedPosition), seal, SEAL_BYTES))
    throw createError("invalid_cursor");
  return String.fromCharCode(...fromBase64url(encodedPosition));
}

/**
 * Returns the text that is sealed: the operation, its path and its filters, or the body of a query that is sent by POST. The limit
 * is not part of it, and neither are unknown parameters.
 */
function describeList({ name, definition }: RegisteredOperation, input: RawInput, encodedPosition: string): string {
  const params = definition.params.map((param) => input.params[param]);
  const filters = Object.keys(definition.spec.query ?? {}).map((filter) => input.query[filter] ?? null);
  const body = definition.spec.isReadOnly ? [input.body] : [];
  return JSON.stringify([name, params, filters, encodedPosition, ...body]);
}

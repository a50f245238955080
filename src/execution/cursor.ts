// Cursors: the position of the last row, sealed together with the list that it belongs to. A cursor of another list, or
// one that we did not make, is refused; rows that come and go do not shift it.

import { createError } from "../errors";
import { fromBase64url, type Secrets, toBase64url } from "../storage/secrets";
import type { Key } from "../storage/storage";
import type { RawInput, RegisteredOperation } from "./kernel";

/** Bytes of a digest, and the characters that they are. */
const SEAL_BYTES = 16;
const SEAL_LENGTH = 22;

export function sealCursor(secrets: Secrets, named: RegisteredOperation, raw: RawInput, position: Key): string {
  const place = toBase64url(Uint8Array.from(position, (c) => c.charCodeAt(0)));
  const seal = toBase64url(secrets.digest("cursor", sealed(named, raw, place)).slice(0, SEAL_BYTES));
  return seal + place;
}

export function openCursor(secrets: Secrets, named: RegisteredOperation, raw: RawInput): Key {
  const cursor = raw.query.page;
  if (typeof cursor !== "string") throw createError("invalid_cursor");
  const place = cursor.slice(SEAL_LENGTH);
  if (!secrets.isDigest("cursor", sealed(named, raw, place), cursor.slice(0, SEAL_LENGTH), SEAL_BYTES))
    throw createError("invalid_cursor");
  return String.fromCharCode(...fromBase64url(place));
}

/** What identifies a list: its operation, its path and its filters, or the query. The limit does not count, and
 * neither do unknown parameters. */
function sealed({ name, operation }: RegisteredOperation, raw: RawInput, place: string): string {
  const params = operation.params.map((param) => raw.params[param]);
  const filters = Object.keys(operation.spec.query ?? {}).map((filter) => raw.query[filter] ?? null);
  const asked = operation.spec.isReadOnly ? [raw.body] : [];
  return JSON.stringify([name, params, filters, place, ...asked]);
}

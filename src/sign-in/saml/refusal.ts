// The reasons for which a message of an identity provider is refused. They are for the audit log and the tests. Users see the same
// text for all of them, so that an attacker learns nothing.

export type RefusalReason =
  // The text of the message.
  | "too_large"
  | "not_xml"
  | "doctype"
  | "comment"
  | "instruction"
  | "too_complex"
  | "duplicate_id"
  | "malformed"
  // The place of signatures, and the text that they cover.
  | "several_assertions"
  | "signature_place"
  | "signature_shape"
  | "signature_parts"
  | "reference"
  | "transform"
  | "canonicalization"
  | "signature_algorithm"
  | "digest_algorithm"
  | "digest"
  | "signature"
  | "unsigned"
  // Encrypted assertions.
  | "encryption_algorithm"
  | "cbc_unsigned"
  | "key_transport"
  | "decryption"
  // The content of the message.
  | "response_version"
  | "version"
  | "status"
  | "response_issuer"
  | "response_in_response_to"
  | "destination"
  | "issuer"
  | "audience"
  | "condition"
  | "not_before"
  | "expired"
  | "bearer"
  | "recipient"
  | "in_response_to"
  | "confirmation_not_before"
  | "confirmation_expired"
  | "session_ended"
  | "no_statement"
  | "name_id"
  // Logout requests.
  | "logout_too_large"
  | "logout_signature"
  | "logout_issuer"
  | "logout_destination"
  | "logout_expired"
  // Messages that were used before.
  | "replayed";

export class SamlRefusal extends Error {
  override readonly name = "SamlRefusal";
  constructor(
    readonly why: RefusalReason,
    options?: ErrorOptions,
  ) {
    super(`The message of the identity provider is refused: ${why}.`, options);
  }
}

/** Refuses a message that fails a check. Every check calls this function, so that the tests can disable each one on its own. */
export function refuseIf(isWrong: boolean, why: RefusalReason): void {
  if (isWrong) throw new SamlRefusal(why);
}

/** Returns a required value. Refuses the message as malformed if it's absent. */
export function requirePresent<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new SamlRefusal("malformed");
  return value;
}

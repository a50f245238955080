// Why a message of an identity provider is refused. The words are for the audit log and the tests: the person sees one
// sentence for all of them, so that somebody who tries things out learns nothing.

export type RefusalReason =
  // What the text is.
  | "too_large"
  | "not_xml"
  | "doctype"
  | "comment"
  | "instruction"
  | "too_complex"
  | "duplicate_id"
  | "malformed"
  // Where signatures stand, and what they sign.
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
  // What is encrypted.
  | "encryption_algorithm"
  | "cbc_unsigned"
  | "key_transport"
  | "decryption"
  // What the message says.
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
  // What a request to sign out says.
  | "logout_too_large"
  | "logout_signature"
  | "logout_issuer"
  | "logout_destination"
  | "logout_expired"
  // What was shown before.
  | "replayed";

/** A message that is not accepted. */
export class SamlRefusal extends Error {
  override readonly name = "SamlRefusal";
  constructor(
    readonly why: RefusalReason,
    options?: ErrorOptions,
  ) {
    super(`The message of the identity provider is refused: ${why}.`, options);
  }
}

/** Every check is a call of this function, so that the tests can take each one out and see what comes in then. */
export function refuseIf(isWrong: boolean, why: RefusalReason): void {
  if (isWrong) throw new SamlRefusal(why);
}

/** What must be there for the message to be read at all. */
export function requirePresent<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new SamlRefusal("malformed");
  return value;
}

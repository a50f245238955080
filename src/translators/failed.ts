// The error of a translator. People see the sentence, so it names the host and the reason, but never a key or the text.

/** Why a translator failed. */
export type TranslatorReason =
  /** The key was refused. */
  | "unauthorized"
  /** The paid amount is used up. */
  | "quota_exceeded"
  /** The request is refused for what it is: a language or a model that is not known. */
  | "rejected"
  /** The host cannot be reached, is busy, or does not answer as it should. */
  | "unavailable";

/** Thrown by translators; of one that is `unavailable` it is tried again later. */
export class TranslatorFailed extends Error {
  override readonly name = "TranslatorFailed";

  constructor(
    readonly reason: TranslatorReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Whether trying again would end in the same. */
  get isFinal(): boolean {
    return this.reason !== "unavailable";
  }
}

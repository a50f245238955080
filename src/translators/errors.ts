// The error of a translator. People see its message, which names the host and the reason, but never a key or a text.

export type TranslatorErrorReason =
  | "unauthorized"
  /** The paid quota is used up. */
  | "quota_exceeded"
  /** The host refused the request itself: it does not know the language or the model. */
  | "rejected"
  /** The host cannot be reached, is busy, or sent an invalid response. */
  | "unavailable";

/** Thrown by translators. A translation that failed as `unavailable` is tried again later. */
export class TranslatorError extends Error {
  override readonly name = "TranslatorError";

  constructor(
    readonly reason: TranslatorErrorReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** True if another try would fail in the same way. */
  get isFinal(): boolean {
    return this.reason !== "unavailable";
  }
}

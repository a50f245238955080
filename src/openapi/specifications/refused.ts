// Why a specification could not be read.

/** What went wrong, as the interface names it. */
export type ProcessErrorCode = "FETCH_TIMEOUT" | "FETCH_ERROR" | "PARSE_ERROR";

/** A specification that cannot be read; the sentence is for the people who gave it. */
export class SpecificationRefused extends Error {
  override readonly name = "SpecificationRefused";

  constructor(
    readonly code: ProcessErrorCode,
    sentence: string,
    options?: ErrorOptions,
  ) {
    super(sentence, options);
  }
}

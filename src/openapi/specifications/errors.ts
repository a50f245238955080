// The error of a specification that cannot be read.

export type ProcessErrorCode = "FETCH_TIMEOUT" | "FETCH_ERROR" | "PARSE_ERROR";

/** The error of a specification that cannot be read. The sentence is for the people who provided it. */
export class SpecificationError extends Error {
  override readonly name = "SpecificationRefused";

  constructor(
    readonly code: ProcessErrorCode,
    sentence: string,
    options?: ErrorOptions,
  ) {
    super(sentence, options);
  }
}

// The error of the guarded fetch.

/** The reason why a request was refused or given up. */
export type EgressReason = "scheme" | "credentials" | "address" | "redirects" | "timeout" | "too_large";

/** A request that the guard did not make, or did not finish. The message names the host, and never its address. */
export class EgressError extends Error {
  override readonly name = "EgressError";
  readonly host: string;
  readonly reason: EgressReason;

  constructor(url: URL, reason: EgressReason, explanation: string) {
    const host = url.host || url.protocol;
    super(`The request to ${host} was refused: ${explanation}.`);
    this.host = host;
    this.reason = reason;
  }
}

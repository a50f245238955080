// The error of the guarded fetch.

/** Why a request was refused or given up. */
export type EgressReason = "scheme" | "credentials" | "address" | "redirects" | "timeout" | "too_large";

/** A request that the guard did not make, or did not finish. The sentence names the host, and never its address. */
export class EgressRefused extends Error {
  override readonly name = "EgressRefused";
  readonly host: string;
  readonly reason: EgressReason;

  constructor(url: URL, reason: EgressReason, why: string) {
    const host = url.host || url.protocol;
    super(`The request to ${host} was refused: ${why}.`);
    this.host = host;
    this.reason = reason;
  }
}

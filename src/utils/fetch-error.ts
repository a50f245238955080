// Explains to callers why a request to another host failed. The guarded fetch writes its own sentences. Of every other error
// only the kind is reported, because the rest may reveal the inside of a network.

/** The meanings of the error codes of runtimes, each as the end of a sentence. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  ENOTFOUND: "its name was not found",
  EAI_AGAIN: "its name could not be looked up",
  ENODATA: "its name was not found",
  DNS_RESOLVE_FAILED: "its name was not found",
  ECONNREFUSED: "it refused the connection",
  ConnectionRefused: "it refused the connection",
  ECONNRESET: "it broke off the connection",
  ECONNABORTED: "it broke off the connection",
  EPIPE: "it broke off the connection",
  UND_ERR_SOCKET: "it broke off the connection",
  ConnectionClosed: "it broke off the connection",
  ERR_STREAM_PREMATURE_CLOSE: "it broke off the connection",
  ETIMEDOUT: "it did not answer in time",
  UND_ERR_CONNECT_TIMEOUT: "it did not answer in time",
  UND_ERR_HEADERS_TIMEOUT: "it did not answer in time",
  UND_ERR_BODY_TIMEOUT: "it did not answer in time",
  EHOSTUNREACH: "no network leads to it",
  ENETUNREACH: "no network leads to it",
  EADDRNOTAVAIL: "no network leads to it",
  CERT_HAS_EXPIRED: "its TLS certificate has expired",
  CERT_NOT_YET_VALID: "its TLS certificate is not valid yet",
  CERT_REVOKED: "its TLS certificate was revoked",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its TLS certificate is signed by itself",
  SELF_SIGNED_CERT_IN_CHAIN: "its TLS certificate is signed by nobody that is trusted here",
  UNABLE_TO_GET_ISSUER_CERT: "its TLS certificate is signed by nobody that is trusted here",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its TLS certificate is signed by nobody that is trusted here",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its TLS certificate is signed by nobody that is trusted here",
  ERR_TLS_CERT_ALTNAME_INVALID: "its TLS certificate is for another name",
  EPROTO: "it does not speak TLS there",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS there",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "it does not speak TLS there",
  HPE_INVALID_CONSTANT: "it does not speak HTTP there",
  TooManyRedirects: "it redirects too often",
};

/** The most causes of an error that are searched for a known code. */
const MAX_CAUSE_DEPTH = 5;

/** Returns why a request failed, as the end of a sentence, or undefined if the error does not say it. */
export function explainFetchError(error: unknown): string | undefined {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSE_DEPTH && typeof cause === "object" && cause !== null; depth++) {
    const { name, code, message, errors, cause: innerCause } = cause as Partial<AggregateError> & { code?: unknown };
    if (name === "TimeoutError") return "it did not answer in time";
    if (typeof code === "string" && Object.hasOwn(EXPLANATIONS, code)) return EXPLANATIONS[code];
    if (message === "redirect count exceeded") return "it redirects too often";
    cause = innerCause ?? errors?.[0];
  }
  return undefined;
}

/** Returns a sentence about a failed request to `target`: that of the guarded fetch, or one with the reason as far as it is known. */
export function describeFailedRequest(target: string, error: unknown): string {
  if (error instanceof Error && error.name === "EgressError") return error.message;
  const explanation = explainFetchError(error);
  return `${target} could not be reached${explanation === undefined ? "" : `: ${explanation}`}.`;
}

// The Node door, `octavo/node`: the handler for node:http and what is built on it, the guarded outbound fetch, and the proof of
// domains by DNS.

export type { TrustProxy } from "./client-address";
export { type DnsVerifyDomainOptions, dnsVerifyDomain } from "./dns";
export { type GuardedFetchOptions, guardedFetch } from "./egress/fetch";
export { type EgressReason, EgressRefused } from "./egress/refused";
export { type NodeHandler, type NodeHandlerOptions, nodeHandler } from "./handler";

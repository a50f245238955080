// The Node door, `octavo/node`: the handler for node:http and what is built on it, and the guarded outbound fetch.

export { type GuardedFetchOptions, guardedFetch } from "./egress/fetch";
export { type EgressReason, EgressRefused } from "./egress/refused";
export { type NodeHandler, type NodeHandlerOptions, nodeHandler } from "./handler";

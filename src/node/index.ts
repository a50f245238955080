// The Node door, `octavo/node`: the handler for node:http and what is built on it, the orderly end of a server, the guarded
// outbound fetch, the proof of domains by DNS, and what operators watch: a log, metrics and spans.

export type { TrustProxy } from "./client-address";
export { type DnsVerifyDomainOptions, dnsVerifyDomain } from "./dns";
export { type DrainOptions, prepareDrain } from "./drain";
export { type GuardedFetchOptions, guardedFetch } from "./egress/fetch";
export { type EgressReason, EgressRefused } from "./egress/refused";
export { type NodeHandler, type NodeHandlerOptions, nodeHandler } from "./handler";
export { type JsonLog, type JsonLogOptions, jsonLog } from "./log";
export { type MetricsSources, PROMETHEUS_TYPE, type PrometheusMetrics, prometheusMetrics } from "./prometheus";
export { type SpanLike, type TraceLike, type Tracing, tracing } from "./tracing";

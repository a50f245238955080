// octavo/node: the handler for node:http, the graceful shutdown of a server, the guarded fetch, the verification of domains by DNS,
// and a log, metrics and spans for operators.

export type { TrustProxy } from "./client-address";
export { type DnsVerifyDomainOptions, dnsVerifyDomain } from "./dns";
export { type DrainOptions, prepareDrain } from "./drain";
export { EgressError, type EgressReason } from "./egress/errors";
export { type GuardedFetchOptions, guardedFetch } from "./egress/guarded-fetch";
export { type NodeHandler, type NodeHandlerOptions, nodeHandler } from "./handler";
export { type JsonLog, type JsonLogOptions, jsonLog } from "./json-log";
export { type MetricsSources, PROMETHEUS_TYPE, type PrometheusMetrics, prometheusMetrics } from "./prometheus";
export { type SpanLike, type TraceLike, type Tracing, tracing } from "./tracing";

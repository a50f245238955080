// What `octavo/node` offers to operators: metrics in the text format of Prometheus, a log in JSON lines, and spans.

import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createDocsApi, measureStorage, type RequestReport } from "octavo";
import { memoryStorage } from "octavo/memory";
import { jsonLog, prometheusMetrics, tracing } from "octavo/node";
import { afterEach, describe, expect, test } from "vitest";

const answered = (more: Partial<RequestReport> = {}): RequestReport => ({
  operation: "getOrganization",
  method: "GET",
  status: 200,
  reason: undefined,
  milliseconds: 3,
  requestId: "r-1",
  user: "usr_1",
  organization: "org_1",
  space: undefined,
  site: undefined,
  isReplayed: false,
  isCached: false,
  received: undefined,
  sent: 120,
  ...more,
});

/** The samples of a text of Prometheus, each with its labels. Fails where a line is none. */
function samplesIn(text: string): Map<string, number> {
  const found = new Map<string, number>();
  const families = new Map<string, string>();
  for (const line of text.trimEnd().split("\n")) {
    const family = /^# TYPE (\w+) (counter|gauge|histogram)$/.exec(line);
    if (family) {
      expect(families.has(family[1]!), line).toBe(false);
      families.set(family[1]!, family[2]!);
    }
    if (line.startsWith("#")) continue;
    const sample = /^(\w+)(\{(?:\w+="(?:[^"\\\n]|\\["\\n])*",?)+\})? (\S+)$/.exec(line);
    expect(sample, line).not.toBeNull();
    const [, name, labels = "", value] = sample!;
    expect(
      [...families.keys()].some((it) => name === it || name!.replace(/_(bucket|sum|count)$/, "") === it),
      line,
    ).toBe(true);
    expect(found.has(name! + labels), line).toBe(false);
    found.set(name! + labels, Number(value));
  }
  return found;
}

describe("metrics", () => {
  test("metrics count requests by operation and status and refusals by reason, and have duration buckets", () => {
    const metrics = prometheusMetrics();
    for (const milliseconds of [1, 3, 60_000]) metrics.onRequest(answered({ milliseconds }));
    metrics.onRequest(answered({ status: 404, reason: "organization_not_found" }));
    metrics.onRequest(answered({ operation: undefined, status: 404, reason: "route_not_found", milliseconds: 0.2 }));
    const samples = samplesIn(metrics.text());
    expect(samples.get('octavo_requests_total{operation="getOrganization",status="200"}')).toBe(3);
    expect(samples.get('octavo_requests_total{operation="getOrganization",status="404"}')).toBe(1);
    expect(samples.get('octavo_requests_total{operation="none",status="404"}')).toBe(1);
    expect(samples.get('octavo_refusals_total{reason="route_not_found"}')).toBe(1);
    const bucket = (le: string) =>
      samples.get(`octavo_request_duration_seconds_bucket{operation="getOrganization",le="${le}"}`);
    expect([bucket("0.001"), bucket("0.005"), bucket("30"), bucket("+Inf")]).toEqual([1, 3, 3, 4]);
    expect(samples.get('octavo_request_duration_seconds_sum{operation="getOrganization"}')).toBeCloseTo(60.007, 6);
    expect(samples.get('octavo_request_duration_seconds_count{operation="getOrganization"}')).toBe(4);
  });

  test("metrics of a live API cover storage, caches, retries and jobs", async () => {
    const metrics = prometheusMetrics();
    const storage = measureStorage(memoryStorage());
    const api = createDocsApi(storage, { onRequest: metrics.onRequest });
    const { organization, token } = await api.provision({
      user: { displayName: "Ada", email: "ada@example.org" },
      organization: { title: "Engines" },
      token: { label: "test" },
    });
    const headers = { authorization: `Bearer ${token}` };
    for (let i = 0; i < 2; i++) await api.fetch(new Request(`http://x/v1/orgs/${organization}`, { headers }));
    await api.maintain();
    const samples = samplesIn(metrics.text({ api, storage }));
    expect(samples.get('octavo_requests_total{operation="getOrganization",status="200"}')).toBe(2);
    expect(samples.get('octavo_cache_hits_total{cache="responses"}')).toBe(1);
    expect(samples.get('octavo_cache_limit{cache="objects"}')).toBe(64 * 1024 * 1024);
    expect(samples.get('octavo_storage_calls_total{call="commit"}')).toBeGreaterThan(0);
    expect(samples.get('octavo_storage_failures_total{call="commit"}')).toBe(0);
    expect(samples.get("octavo_transaction_retries_total")).toBe(0);
    expect(samples.get("octavo_jobs_parked")).toBe(0);
    expect(samples.get("octavo_maintained_timestamp_seconds")).toBeGreaterThan(1e9);
    expect(samples.get("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  });
});

describe("logs", () => {
  const start = (options = {}) => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const log = jsonLog({ write, now: () => new Date("2026-01-01"), ...options });
    const last = () => JSON.parse(lines.at(-1)!);
    return { log, lines, last };
  };

  test("the log has one JSON object per line for each request", () => {
    const { log, lines, last } = start();
    log.onRequest(answered({ requestId: "a\nb", milliseconds: 1.23456 }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^[^\n]+\n$/);
    expect(last()).toEqual({
      time: "2026-01-01T00:00:00.000Z",
      level: "info",
      message: "request",
      operation: "getOrganization",
      method: "GET",
      status: 200,
      milliseconds: 1.235,
      requestId: "a\nb",
      user: "usr_1",
      organization: "org_1",
      sent: 120,
    });
    log.onRequest(answered({ status: 404, reason: "route_not_found" }));
    expect(last()).toMatchObject({ level: "warn", reason: "route_not_found" });
    log.onRequest(answered({ status: 503 }));
    expect(last().level).toBe("error");
    log.onRequest(answered({ isCached: true, isReplayed: true }));
    expect(last()).toMatchObject({ cached: true, replayed: true });
  });

  test("the log omits successful probes unless they are wanted", () => {
    const { log, lines } = start();
    for (const operation of ["getHealth", "getReadiness"]) log.onRequest(answered({ operation }));
    expect(lines).toEqual([]);
    log.onRequest(answered({ operation: "getReadiness", status: 503 }));
    expect(lines).toHaveLength(1);
    const all = start({ probes: true });
    all.log.onRequest(answered({ operation: "getHealth" }));
    expect(all.lines).toHaveLength(1);
  });

  test("the log contains errors with their stack and request id", () => {
    const { log, lines, last } = start();
    log.onError(new TypeError("broken", { cause: new Error("deeper") }), { requestId: "r-9" });
    expect(last()).toMatchObject({ level: "error", name: "TypeError", error: "broken", requestId: "r-9" });
    expect(last().stack).toContain("TypeError: broken");
    expect(last().cause).toBe("Error: deeper");
    log.onError("just a text", {});
    expect(last()).toMatchObject({ error: "just a text" });
    expect(lines).toHaveLength(2);
  });
});

describe("spans", () => {
  afterEach(() => {
    trace.disable();
    context.disable();
  });

  async function start() {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const exporter = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    const spans = tracing(trace);
    const options = { onRequest: spans.onRequest, onError: () => {} };
    const api = spans.api(createDocsApi(spans.storage(memoryStorage()), options));
    const { organization, token } = await api.provision({
      user: { displayName: "Ada", email: "ada@example.org" },
      organization: { title: "Engines" },
      token: { label: "test" },
    });
    exporter.reset();
    const ask = (path: string) =>
      api.fetch(new Request(`http://x${path}`, { headers: { authorization: `Bearer ${token}` } }));
    return { api, organization: organization!, token: token!, ask, finished: () => exporter.getFinishedSpans() };
  }

  test("there is one span for each request with its operation and status, and child spans for storage calls", async () => {
    const { ask, organization, token, finished } = await start();
    await Promise.all([ask(`/v1/orgs/${organization}`), ask("/v1/nothing?secret=hunter2")]);
    const requests = finished().filter(({ name }) => !name.includes("storage"));
    expect(requests.map(({ name }) => name).sort()).toEqual(["octavo getOrganization", "octavo request"]);
    const found = requests.find(({ name }) => name === "octavo getOrganization")!;
    expect(found.attributes).toMatchObject({
      "octavo.operation": "getOrganization",
      "http.request.method": "GET",
      "http.response.status_code": 200,
      "octavo.organization": organization,
    });
    const lost = requests.find(({ name }) => name === "octavo request")!;
    expect(lost.attributes).toMatchObject({ "http.response.status_code": 404, "octavo.reason": "route_not_found" });
    const calls = finished().filter(({ name }) => name.includes("storage"));
    expect(calls.length).toBeGreaterThan(2);
    for (const call of calls) expect(call.parentSpanContext?.spanId).toBe(found.spanContext().spanId);
    const all = JSON.stringify(finished().map(({ name, attributes }) => [name, attributes]));
    for (const secret of [token, "hunter2"]) expect(all).not.toContain(secret);
  });

  test("spans record failures and always end", async () => {
    const { api, organization, finished } = await start();
    await api.close();
    await api.call("getOrganization", { params: { organizationId: organization } }, { user: "x" }).catch(() => {});
    const failed = finished().find(({ name }) => name === "octavo getOrganization")!;
    expect(failed.status.code).toBe(SpanStatusCode.ERROR);
    expect(failed.attributes).toMatchObject({ "http.response.status_code": 503 });
  });

  test("spans cost only a call when the host has not set up OpenTelemetry", async () => {
    const spans = tracing(trace);
    const api = spans.api(createDocsApi(spans.storage(memoryStorage()), { onRequest: spans.onRequest }));
    expect((await api.fetch(new Request("http://x/v1/"))).status).toBe(200);
  });
});

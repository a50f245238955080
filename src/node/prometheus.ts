// Metrics in the text format of Prometheus: requests as `onRequest` hears of them, and the numbers that the API and its
// storage keep. Nothing is sent anywhere; the host gives the text to whoever may have it.

import process from "node:process";
import type { DocsApi } from "../api/create-docs-api";
import type { RequestReport } from "../http/request-report";
import type { MeasuredStorage } from "../storage/observed-storage";

/** Collects what happens, and writes it down when asked. */
export interface PrometheusMetrics {
  /** The option `onRequest` of `createDocsApi`, or what it calls. */
  readonly onRequest: (answered: RequestReport) => void;
  /** All numbers: of requests, and of what is given. */
  readonly text: (sources?: MetricsSources) => string;
}

export interface MetricsSources {
  readonly api?: Pick<DocsApi, "metrics">;
  readonly storage?: Pick<MeasuredStorage, "numbers">;
}

/** The `Content-Type` of the text. */
export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The upper ends of the buckets, in seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface Timed {
  readonly buckets: number[];
  seconds: number;
  count: number;
}

export function prometheusMetrics(): PrometheusMetrics {
  const requests = new Map<string, { readonly operation: string; readonly status: number; count: number }>();
  const refusals = new Map<string, number>();
  const durations = new Map<string, Timed>();

  return {
    onRequest({ operation = "none", status, reason, milliseconds }) {
      const name = `${operation} ${status}`;
      const known = requests.get(name);
      if (known) known.count++;
      else requests.set(name, { operation, status, count: 1 });
      if (reason !== undefined) refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
      const timed = durations.get(operation) ?? { buckets: BUCKETS.map(() => 0), seconds: 0, count: 0 };
      durations.set(operation, timed);
      addTo(timed, milliseconds / 1000);
    },
    text(sources = {}) {
      const page = new Page();
      page.family("octavo_requests_total", "counter", "Requests that were answered, by operation and status.");
      for (const { operation, status, count } of requests.values())
        page.sample("octavo_requests_total", { operation, status: String(status) }, count);
      page.family("octavo_refusals_total", "counter", "Requests that were refused or failed, by reason.");
      for (const [reason, count] of refusals) page.sample("octavo_refusals_total", { reason }, count);
      writeDurations(page, durations);
      if (sources.storage) writeStorage(page, sources.storage.numbers());
      if (sources.api) writeApi(page, sources.api.metrics());
      writeProcess(page);
      return page.text();
    },
  };
}

function addTo(timed: Timed, seconds: number): void {
  timed.seconds += seconds;
  timed.count++;
  const at = BUCKETS.findIndex((end) => seconds <= end);
  if (at >= 0) timed.buckets[at]!++;
}

function writeDurations(page: Page, durations: ReadonlyMap<string, Timed>): void {
  const name = "octavo_request_duration_seconds";
  page.family(name, "histogram", "From the arrival of a request until its answer is ready, by operation.");
  for (const [operation, { buckets, seconds, count }] of durations) {
    let sum = 0;
    for (const [i, end] of BUCKETS.entries()) {
      sum += buckets[i]!;
      page.sample(`${name}_bucket`, { operation, le: String(end) }, sum);
    }
    page.sample(`${name}_bucket`, { operation, le: "+Inf" }, count);
    page.sample(`${name}_sum`, { operation }, seconds);
    page.sample(`${name}_count`, { operation }, count);
  }
}

function writeStorage(page: Page, { conflicts, ...calls }: ReturnType<MeasuredStorage["numbers"]>): void {
  const each = Object.entries(calls);
  page.family("octavo_storage_calls_total", "counter", "Calls of the storage, by kind.");
  for (const [call, numbers] of each) page.sample("octavo_storage_calls_total", { call }, numbers.calls);
  page.family("octavo_storage_failures_total", "counter", "Calls of the storage that failed.");
  for (const [call, numbers] of each) page.sample("octavo_storage_failures_total", { call }, numbers.failures);
  page.family("octavo_storage_seconds_total", "counter", "The time that calls of the storage took.");
  for (const [call, numbers] of each)
    page.sample("octavo_storage_seconds_total", { call }, numbers.milliseconds / 1000);
  page.family("octavo_storage_conflicts_total", "counter", "Commits that were refused because others came first.");
  page.sample("octavo_storage_conflicts_total", {}, conflicts);
}

function writeApi(page: Page, { caches, retries, jobs }: ReturnType<DocsApi["metrics"]>): void {
  page.family("octavo_transaction_retries_total", "counter", "Transactions that ran again because others came first.");
  page.sample("octavo_transaction_retries_total", {}, retries);
  const each = Object.entries(caches);
  const cacheFamilies = [
    ["octavo_cache_entries", "gauge", "Entries of a cache.", "entries"],
    ["octavo_cache_size", "gauge", "What a cache holds, in bytes or entries.", "size"],
    ["octavo_cache_limit", "gauge", "What a cache may hold, in the same unit.", "limit"],
    ["octavo_cache_hits_total", "counter", "What was found in a cache.", "hits"],
    ["octavo_cache_misses_total", "counter", "What was looked for in a cache and not found.", "misses"],
  ] as const;
  for (const [name, kind, help, member] of cacheFamilies) {
    page.family(name, kind, help);
    for (const [cache, numbers] of each) page.sample(name, { cache }, numbers[member]);
  }
  if (!jobs) return;
  page.family("octavo_jobs_waiting", "gauge", "Jobs that wait, by step, as the last maintain() found them.");
  for (const [step, count] of Object.entries(jobs.waiting)) page.sample("octavo_jobs_waiting", { step }, count);
  page.family("octavo_jobs_parked", "gauge", "Jobs that were given up and wait for an admin.");
  page.sample("octavo_jobs_parked", {}, jobs.parked);
  page.family("octavo_maintained_timestamp_seconds", "gauge", "When maintain() was last done in this process.");
  page.sample("octavo_maintained_timestamp_seconds", {}, jobs.counted.getTime() / 1000);
}

function writeProcess(page: Page): void {
  const { user, system } = process.cpuUsage();
  page.family("process_cpu_seconds_total", "counter", "Processor time of this process.");
  page.sample("process_cpu_seconds_total", {}, (user + system) / 1e6);
  page.family("process_resident_memory_bytes", "gauge", "Memory of this process.");
  page.sample("process_resident_memory_bytes", {}, process.memoryUsage().rss);
}

/** Lines of the text format. */
class Page {
  readonly #lines: string[] = [];

  family(name: string, kind: "counter" | "gauge" | "histogram", help: string): void {
    this.#lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`);
  }

  sample(name: string, labels: Readonly<Record<string, string>>, value: number): void {
    const written = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    this.#lines.push(`${name}${written.length === 0 ? "" : `{${written.join(",")}}`} ${value}`);
  }

  text(): string {
    return `${this.#lines.join("\n")}\n`;
  }
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

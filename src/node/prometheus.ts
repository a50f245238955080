// Metrics in the text format of Prometheus: of the requests that `onRequest` reports, and the numbers of the API and its storage. Nothing
// is sent anywhere; the host serves the text to whom it wants.

import process from "node:process";
import type { DocsApi } from "../api/create-docs-api";
import type { RequestReport } from "../http/request-report";
import type { MeasuredStorage } from "../storage/observed-storage";

/** Collects numbers about requests, and writes them together with others. */
export interface PrometheusMetrics {
  /** Counts a request. Pass it as the option `onRequest`, or call it there. */
  readonly onRequest: (report: RequestReport) => void;
  readonly text: (sources?: MetricsSources) => string;
}

export interface MetricsSources {
  readonly api?: Pick<DocsApi, "metrics">;
  readonly storage?: Pick<MeasuredStorage, "numbers">;
}

/** The `Content-Type` of the text. */
export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The upper limits of the buckets of a histogram, in seconds. */
const BUCKET_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The metrics of each cache: name, kind, help, and the member that holds the number. */
const CACHE_FAMILIES = [
  ["octavo_cache_entries", "gauge", "Entries of a cache.", "entries"],
  ["octavo_cache_size", "gauge", "Size of a cache, in bytes or entries.", "size"],
  ["octavo_cache_limit", "gauge", "Limit of a cache, in the unit of its size.", "limit"],
  ["octavo_cache_hits_total", "counter", "Cache hits.", "hits"],
  ["octavo_cache_misses_total", "counter", "Cache misses.", "misses"],
] as const;

interface DurationHistogram {
  readonly buckets: number[];
  seconds: number;
  count: number;
}

/** Creates the metrics of a process. */
export function prometheusMetrics(): PrometheusMetrics {
  const requests = new Map<string, { readonly operation: string; readonly status: number; count: number }>();
  const refusals = new Map<string, number>();
  const durations = new Map<string, DurationHistogram>();

  return {
    onRequest({ operation = "none", status, reason, milliseconds }) {
      const name = `${operation} ${status}`;
      const known = requests.get(name);
      if (known) known.count++;
      else requests.set(name, { operation, status, count: 1 });
      if (reason !== undefined) refusals.set(reason, (refusals.get(reason) ?? 0) + 1);

      const seconds = milliseconds / 1000;
      const histogram = durations.get(operation) ?? { buckets: BUCKET_SECONDS.map(() => 0), seconds: 0, count: 0 };
      durations.set(operation, histogram);
      histogram.seconds += seconds;
      histogram.count++;
      const bucket = BUCKET_SECONDS.findIndex((limit) => seconds <= limit);
      if (bucket >= 0) histogram.buckets[bucket]!++;
    },
    text(sources = {}) {
      const page = new MetricsPage();
      page.addFamily("octavo_requests_total", "counter", "Completed requests, by operation and status.");
      for (const { operation, status, count } of requests.values())
        page.addSample("octavo_requests_total", { operation, status: String(status) }, count);
      page.addFamily("octavo_refusals_total", "counter", "Refused and failed requests, by reason.");
      for (const [reason, count] of refusals) page.addSample("octavo_refusals_total", { reason }, count);

      const durationName = "octavo_request_duration_seconds";
      page.addFamily(
        durationName,
        "histogram",
        "Time from the arrival of a request until its response is ready, by operation.",
      );
      for (const [operation, { buckets, seconds, count }] of durations) {
        let sum = 0;
        for (const [i, limit] of BUCKET_SECONDS.entries()) {
          sum += buckets[i]!;
          page.addSample(`${durationName}_bucket`, { operation, le: String(limit) }, sum);
        }
        page.addSample(`${durationName}_bucket`, { operation, le: "+Inf" }, count);
        page.addSample(`${durationName}_sum`, { operation }, seconds);
        page.addSample(`${durationName}_count`, { operation }, count);
      }

      if (sources.storage) {
        const { conflicts, ...calls } = sources.storage.numbers();
        const numbersByCall = Object.entries(calls);
        page.addFamily("octavo_storage_calls_total", "counter", "Storage calls, by type.");
        for (const [call, numbers] of numbersByCall)
          page.addSample("octavo_storage_calls_total", { call }, numbers.calls);
        page.addFamily("octavo_storage_failures_total", "counter", "Failed storage calls, by type.");
        for (const [call, numbers] of numbersByCall)
          page.addSample("octavo_storage_failures_total", { call }, numbers.failures);
        page.addFamily("octavo_storage_seconds_total", "counter", "Total time of storage calls, by type.");
        for (const [call, numbers] of numbersByCall)
          page.addSample("octavo_storage_seconds_total", { call }, numbers.milliseconds / 1000);
        page.addFamily("octavo_storage_conflicts_total", "counter", "Commits refused because of concurrent writes.");
        page.addSample("octavo_storage_conflicts_total", {}, conflicts);
      }

      if (sources.api) {
        const { caches, retries, jobs } = sources.api.metrics();
        page.addFamily(
          "octavo_transaction_retries_total",
          "counter",
          "Transactions retried because of concurrent writes.",
        );
        page.addSample("octavo_transaction_retries_total", {}, retries);
        for (const [name, kind, help, member] of CACHE_FAMILIES) {
          page.addFamily(name, kind, help);
          for (const [cache, stats] of Object.entries(caches)) page.addSample(name, { cache }, stats[member]);
        }
        if (jobs) {
          page.addFamily("octavo_jobs_waiting", "gauge", "Waiting jobs by step, as of the last maintain().");
          for (const [step, count] of Object.entries(jobs.waiting))
            page.addSample("octavo_jobs_waiting", { step }, count);
          page.addFamily("octavo_jobs_parked", "gauge", "Jobs that failed for good and wait for an admin.");
          page.addSample("octavo_jobs_parked", {}, jobs.parked);
          const help = "Time of the last maintain() in this process.";
          page.addFamily("octavo_maintained_timestamp_seconds", "gauge", help);
          page.addSample("octavo_maintained_timestamp_seconds", {}, jobs.counted.getTime() / 1000);
        }
      }

      const { user, system } = process.cpuUsage();
      page.addFamily("process_cpu_seconds_total", "counter", "Processor time of this process.");
      page.addSample("process_cpu_seconds_total", {}, (user + system) / 1e6);
      page.addFamily("process_resident_memory_bytes", "gauge", "Memory of this process.");
      page.addSample("process_resident_memory_bytes", {}, process.memoryUsage().rss);
      return page.toText();
    },
  };
}

/** Builds a page in the text format. */
class MetricsPage {
  readonly #lines: string[] = [];

  addFamily(name: string, kind: "counter" | "gauge" | "histogram", help: string): void {
    this.#lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`);
  }

  addSample(name: string, labels: Readonly<Record<string, string>>, value: number): void {
    const pairs = Object.entries(labels).map(([label, text]) => {
      const escaped = text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
      return `${label}="${escaped}"`;
    });
    this.#lines.push(`${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`);
  }

  toText(): string {
    return `${this.#lines.join("\n")}\n`;
  }
}

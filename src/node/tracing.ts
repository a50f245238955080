// Spans by OpenTelemetry's API, which the host hands in: one for each request, `call` and `maintain()`, with the calls of
// the storage below it. Nothing of OpenTelemetry is imported here, so a host without it carries none of it.

import type { DocsApi } from "../api/create-docs-api";
import type { RequestReport } from "../http/request-report";
import { observedStorage } from "../storage/observed-storage";
import type { Storage } from "../storage/storage";

/** What is used of `Span` of `@opentelemetry/api`. */
export interface SpanLike {
  setAttribute(name: string, value: string | number | boolean): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  updateName(name: string): unknown;
  end(): void;
}

/** What is used of `trace` of `@opentelemetry/api`. */
export interface TraceLike {
  getTracer(name: string): {
    startActiveSpan<Result>(name: string, options: { kind?: number }, run: (span: SpanLike) => Result): Result;
  };
  getActiveSpan(): SpanLike | undefined;
}

export interface Tracing {
  /** Puts the calls of a storage into spans. */
  readonly storage: (storage: Storage) => Storage;
  /** Tells the span of a request what became of it: the option `onRequest`. */
  readonly onRequest: (answered: RequestReport) => void;
  /** Puts requests, calls and maintenance into spans. */
  readonly api: (api: DocsApi) => DocsApi;
}

const INTERNAL = 0;
const SERVER = 1;
const CLIENT = 2;
const ERROR = 2;

/**
 * Spans for an API.
 *
 * ```ts
 * import { trace } from "@opentelemetry/api";
 *
 * const spans = tracing(trace);
 * const api = spans.api(createDocsApi(spans.storage(storage), { onRequest: spans.onRequest }));
 * ```
 */
export function tracing(trace: TraceLike): Tracing {
  const tracer = trace.getTracer("octavo");
  const within = <Result>(name: string, kind: number, run: () => Promise<Result>): Promise<Result> =>
    tracer.startActiveSpan(name, { kind }, async (span) => {
      try {
        return await run();
      } catch (error) {
        // The sentence of an error may hold what callers sent. Its name does not.
        span.setStatus({ code: ERROR, message: error instanceof Error ? error.name : "Error" });
        throw error;
      } finally {
        span.end();
      }
    });
  return {
    storage: (storage) => observedStorage(storage, (call, run) => within(`octavo storage ${call}`, CLIENT, run)),
    onRequest(answered) {
      const span = trace.getActiveSpan();
      if (span) describe(span, answered);
    },
    api: (api) => ({
      ...api,
      fetch: (request) => within("octavo request", SERVER, () => api.fetch(request)),
      handle: (request) => within("octavo request", SERVER, () => api.handle(request)),
      call: (name, input, as) => within(`octavo ${name}`, INTERNAL, () => api.call(name, input, as)),
      maintain: (options) => within("octavo maintain", INTERNAL, () => api.maintain(options)),
    }),
  };
}

function describe(span: SpanLike, answered: RequestReport): void {
  const { operation, method, status, reason, requestId, user, organization, isKept } = answered;
  if (operation !== undefined) span.updateName(`octavo ${operation}`);
  const attributes = {
    "octavo.operation": operation,
    "http.request.method": method,
    "http.response.status_code": status,
    "octavo.reason": reason,
    "octavo.request_id": requestId,
    "octavo.user": user,
    "octavo.organization": organization,
    "octavo.kept": isKept || undefined,
  };
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) span.setAttribute(name, value);
  if (status >= 500) span.setStatus({ code: ERROR, message: reason ?? "" });
}

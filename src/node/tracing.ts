// Spans by OpenTelemetry's API, which the host passes in: one for each request, `call` and `maintain()`, with the calls of the storage
// below it. Nothing of OpenTelemetry is imported here, so a host without it does not load it.

import type { DocsApi } from "../api/create-docs-api";
import type { RequestReport } from "../http/request-report";
import { observeStorage } from "../storage/observed-storage";
import type { Storage } from "../storage/storage";

/** The members of `Span` of `@opentelemetry/api` that are used. */
export interface SpanLike {
  setAttribute(name: string, value: string | number | boolean): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  updateName(name: string): unknown;
  end(): void;
}

/** The members of `trace` of `@opentelemetry/api` that are used. */
export interface TraceLike {
  getTracer(name: string): {
    startActiveSpan<Result>(name: string, options: { kind?: number }, run: (span: SpanLike) => Result): Result;
  };
  getActiveSpan(): SpanLike | undefined;
}

export interface Tracing {
  /** Returns a storage whose calls have spans. */
  readonly storage: (storage: Storage) => Storage;
  /** Describes the result of a request in its span. Pass it as the option `onRequest`. */
  readonly onRequest: (report: RequestReport) => void;
  /** Returns an API whose requests, calls and maintenance have spans. */
  readonly api: (api: DocsApi) => DocsApi;
}

// Constants of OpenTelemetry: kinds of spans, and the status code of an error.
const KIND_INTERNAL = 0;
const KIND_SERVER = 1;
const KIND_CLIENT = 2;
const STATUS_ERROR = 2;

/**
 * Creates the spans of an API.
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
  const runInSpan = <Result>(name: string, kind: number, run: () => Promise<Result>): Promise<Result> =>
    tracer.startActiveSpan(name, { kind }, async (span) => {
      try {
        return await run();
      } catch (error) {
        // The message of an error may contain input of callers. Its name does not.
        span.setStatus({ code: STATUS_ERROR, message: error instanceof Error ? error.name : "Error" });
        throw error;
      } finally {
        span.end();
      }
    });

  return {
    storage: (storage) => observeStorage(storage, (call, run) => runInSpan(`octavo storage ${call}`, KIND_CLIENT, run)),
    onRequest({ operation, method, status, reason, requestId, user, organization, isCached }) {
      const span = trace.getActiveSpan();
      if (!span) return;
      if (operation !== undefined) span.updateName(`octavo ${operation}`);
      const attributes = {
        "octavo.operation": operation,
        "http.request.method": method,
        "http.response.status_code": status,
        "octavo.reason": reason,
        "octavo.request_id": requestId,
        "octavo.user": user,
        "octavo.organization": organization,
        "octavo.cached": isCached || undefined,
      };
      for (const [name, value] of Object.entries(attributes)) if (value !== undefined) span.setAttribute(name, value);
      if (status >= 500) span.setStatus({ code: STATUS_ERROR, message: reason ?? "" });
    },
    api: (api) => ({
      ...api,
      fetch: (request) => runInSpan("octavo request", KIND_SERVER, () => api.fetch(request)),
      handle: (request) => runInSpan("octavo request", KIND_SERVER, () => api.handle(request)),
      call: (name, input, as) => runInSpan(`octavo ${name}`, KIND_INTERNAL, () => api.call(name, input, as)),
      maintain: (options) => runInSpan("octavo maintain", KIND_INTERNAL, () => api.maintain(options)),
    }),
  };
}

// A log with one JSON object a line: the requests that `onRequest` reports, and the errors that `onError` gets.

import process from "node:process";
import type { RequestReport } from "../http/request-report";
import { omitUndefined } from "../utils/objects";

export interface JsonLogOptions {
  /** Writes a line, which ends with a line break. Default: to standard output. */
  readonly write?: (line: string) => void;
  /** The clock. Default: the system's. */
  readonly now?: () => Date;
  /** Logs successful requests for health and readiness. Default: false, because they are frequent. */
  readonly probes?: boolean;
}

/** Options for `createDocsApi`. */
export interface JsonLog {
  readonly onRequest: (report: RequestReport) => void;
  readonly onError: (error: unknown, context: { readonly requestId?: string }) => void;
}

const PROBE_OPERATIONS = new Set(["getHealth", "getReadiness"]);

/** Creates a log in JSON lines. */
export function jsonLog(options: JsonLogOptions = {}): JsonLog {
  const { write = (line: string) => void process.stdout.write(line), now = () => new Date() } = options;
  const log = (level: "info" | "warn" | "error", members: object) =>
    write(`${JSON.stringify({ time: now().toISOString(), level, ...members })}\n`);

  return {
    onRequest(report) {
      const { operation, status, milliseconds, isCached, isReplayed, ...rest } = report;
      if (!options.probes && status === 200 && PROBE_OPERATIONS.has(operation ?? "")) return;
      log(status >= 500 ? "error" : status >= 400 ? "warn" : "info", {
        message: "request",
        operation,
        status,
        milliseconds: Math.round(milliseconds * 1000) / 1000,
        ...rest,
        ...omitUndefined({ cached: isCached || undefined, replayed: isReplayed || undefined }),
      });
    },
    onError(error, { requestId }) {
      const details = error instanceof Error ? { name: error.name, error: error.message, stack: error.stack } : {};
      const cause = error instanceof Error ? error.cause : undefined;
      log("error", {
        message: "error",
        requestId,
        error: String(error),
        ...details,
        ...omitUndefined({ cause: cause === undefined ? undefined : String(cause) }),
      });
    },
  };
}

// A log of one JSON object a line: requests as `onRequest` hears of them, and errors as `onError` does.

import process from "node:process";
import type { RequestReport } from "../http/request-report";
import { omitUndefined } from "../utils/objects";

export interface JsonLogOptions {
  /** Takes a line with its line break. Default: standard output. */
  readonly write?: (line: string) => void;
  /** The clock. Default: the system's. */
  readonly now?: () => Date;
  /** Whether health and readiness are logged when all is well. Default: false, because they are asked all the time. */
  readonly probes?: boolean;
}

/** What goes into the options of `createDocsApi`. */
export interface JsonLog {
  readonly onRequest: (answered: RequestReport) => void;
  readonly onError: (error: unknown, context: { readonly requestId?: string }) => void;
}

const PROBES = new Set(["getHealth", "getReadiness"]);

/** A log in JSON lines. */
export function jsonLog(options: JsonLogOptions = {}): JsonLog {
  const { write = (line: string) => void process.stdout.write(line), now = () => new Date() } = options;
  const log = (level: "info" | "warn" | "error", members: object) =>
    write(`${JSON.stringify({ time: now().toISOString(), level, ...members })}\n`);
  return {
    onRequest(answered) {
      const { operation, status, milliseconds, isKept, isReplayed, ...rest } = answered;
      if (!options.probes && status === 200 && PROBES.has(operation ?? "")) return;
      log(status >= 500 ? "error" : status >= 400 ? "warn" : "info", {
        message: "request",
        operation,
        status,
        milliseconds: Math.round(milliseconds * 1000) / 1000,
        ...rest,
        ...omitUndefined({ isKept: isKept ? isKept : undefined, isReplayed: isReplayed ? isReplayed : undefined }),
      });
    },
    onError(error, { requestId }) {
      const known = error instanceof Error ? { name: error.name, error: error.message, stack: error.stack } : {};
      log("error", { message: "error", requestId, error: String(error), ...known, ...causeOf(error) });
    },
  };
}

function causeOf(error: unknown): object {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? {} : { cause: String(cause) };
}

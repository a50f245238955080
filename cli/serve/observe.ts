// What an operator sees of a running server: a log in JSON lines, and metrics at an address of their own.

import { createServer, type Server } from "node:http";
import { type DocsApi, type DocsApiOptions, type MeasuredStorage, measuredStorage, type Storage } from "octavo";
import { jsonLog, PROMETHEUS_TYPE, type PrometheusMetrics, prometheusMetrics } from "octavo/node";
import type { ServerSettings } from "./settings";

export interface Observers {
  /** The storage as it is given to the API. */
  readonly storage: Storage;
  readonly options: Pick<DocsApiOptions, "onRequest" | "onError">;
  /** A server that answers every request with the metrics; undefined where nobody wants them. */
  readonly serverFor: ((api: DocsApi) => Server) | undefined;
}

export function observers(storage: Storage, { log: form, metrics: at }: ServerSettings): Observers {
  const log = form === "json" ? jsonLog() : undefined;
  const metrics = at && prometheusMetrics();
  const measured = metrics && measuredStorage(storage);
  const listening = [log, metrics].flatMap((it) => it ?? []);
  const onRequest: DocsApiOptions["onRequest"] = (answered) => {
    for (const it of listening) it.onRequest(answered);
  };
  return {
    storage: measured ?? storage,
    options: { ...(listening.length > 0 ? { onRequest } : {}), ...(log ? { onError: log.onError } : {}) },
    serverFor: metrics && measured && ((api) => metricsServer(metrics, api, measured)),
  };
}

function metricsServer(metrics: PrometheusMetrics, api: DocsApi, storage: MeasuredStorage): Server {
  return createServer((_, response) => {
    response.writeHead(200, { "content-type": PROMETHEUS_TYPE }).end(metrics.text({ api, storage }));
  });
}

// Monitoring for operators: a log line for each request, and metrics on a port of their own, because they are not public.

import { createServer, type Server } from "node:http";
import { type DocsApi, type DocsApiOptions, measureStorage, type RequestReport, type Storage } from "octavo";
import { jsonLog, PROMETHEUS_TYPE, prometheusMetrics } from "octavo/node";
import { omitUndefined } from "../../../src/utils/objects";
import type { ServerSettings } from "./server-settings";
import { startListening } from "./start-listening";

export interface Monitoring {
  /** The storage, which counts its calls if metrics are served. */
  readonly storage: Storage;
  readonly options: Pick<DocsApiOptions, "onRequest" | "onError">;
  readonly begin: (api: DocsApi) => Promise<void>;
  readonly end: () => void;
}

export function createMonitoring(storage: Storage, { logsRequests, metricsPort, host }: ServerSettings): Monitoring {
  const log = logsRequests ? jsonLog() : undefined;
  const metrics = metricsPort === undefined ? undefined : prometheusMetrics();
  const measured = metrics && measureStorage(storage);
  const listeners = [log?.onRequest, metrics?.onRequest].filter((it) => it !== undefined);
  let server: Server | undefined;
  return {
    storage: measured ?? storage,
    options: {
      ...omitUndefined({
        onRequest:
          listeners.length > 0
            ? (report: RequestReport) => listeners.forEach((notify) => void notify(report))
            : undefined,
        onError: log?.onError,
      }),
    },
    async begin(api) {
      if (!metrics || metricsPort === undefined) return;
      server = createServer(({ url }, response) => {
        if (url?.split("?")[0] !== "/metrics") response.writeHead(404).end();
        else
          response.writeHead(200, { "content-type": PROMETHEUS_TYPE }).end(metrics.text({ api, storage: measured! }));
      });
      await startListening(server, host, metricsPort, "--metrics-port or METRICS_PORT");
    },
    end() {
      server?.close();
      server?.closeAllConnections();
    },
  };
}

// What an operator watches: a line for each request, and metrics on a port of their own, because names of operations and rates
// are not for everybody.

import { createServer, type Server } from "node:http";
import { type DocsApi, type DocsApiOptions, measuredStorage, type RequestReport, type Storage } from "octavo";
import { jsonLog, PROMETHEUS_TYPE, prometheusMetrics } from "octavo/node";
import { omitUndefined } from "../../../src/utils/objects";
import { listenOn } from "./listen";
import type { ServerSettings } from "./server-settings";

export interface Observing {
  /** The storage, with its calls counted where somebody asks for the numbers. */
  readonly storage: Storage;
  readonly options: Pick<DocsApiOptions, "onRequest" | "onError">;
  readonly begin: (api: DocsApi) => Promise<void>;
  readonly end: () => void;
}

export function observing(storage: Storage, { logsRequests, metricsPort, host }: ServerSettings): Observing {
  const log = logsRequests ? jsonLog() : undefined;
  const metrics = metricsPort === undefined ? undefined : prometheusMetrics();
  const measured = metrics && measuredStorage(storage);
  const heard = [log?.onRequest, metrics?.onRequest].filter((it) => it !== undefined);
  let server: Server | undefined;
  return {
    storage: measured ?? storage,
    options: {
      ...omitUndefined({
        onRequest:
          heard.length > 0 ? (answered: RequestReport) => heard.forEach((hear) => void hear(answered)) : undefined,
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
      await listenOn(server, host, metricsPort, "--metrics-port or METRICS_PORT");
    },
    end() {
      server?.close();
      server?.closeAllConnections();
    },
  };
}

// Runs the server from its settings to its end.

import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createDocsApi, type DocsApi, type Printer } from "octavo";
import { dnsVerifyDomain, nodeHandler } from "octavo/node";
import type { Surroundings } from "../command";
import { CommandFailed } from "../failure";
import type { Given } from "../given";
import { readyOrClosed, secretOf } from "../secret";
import { lacksOrganization, openStorage } from "../storage-settings";
import { firstStart } from "./first-start";
import { createMaintenance, type Maintenance } from "./maintenance";
import { observers } from "./observe";
import { type ServerSettings, serverSettings } from "./settings";
import { askedToStop, drain } from "./stop";
import { translatorOf } from "./translator";

export async function runServer(given: Given, { terminal, env }: Surroundings): Promise<undefined> {
  const settings = serverSettings(given, env);
  const asked = askedToStop();
  const maintenance = createMaintenance((error) => console.error(error));
  const { api, isFirst, metrics } = await open(settings, maintenance);
  const server = createServer(nodeHandler(api, { trustProxy: settings.trustedProxies }));
  await listen(server, settings, "--port or PORT");
  if (metrics && settings.metrics) await listen(metrics, settings.metrics, "--metrics or METRICS");
  if (isFirst) await firstStart(api, settings, terminal.print);
  else terminal.print(`Octavo answers at ${settings.address}/v1`);
  maintenance.begin(api);
  await asked;
  maintenance.end();
  metrics?.close();
  const drained = drain(server, settings.drainMs);
  terminal.print("Stopping: requests under way are answered first.");
  await drained;
  await api.close();
}

/** What runs: the API, whether nothing was ever founded on its storage, and the server of the metrics. */
interface Opened {
  readonly api: DocsApi;
  readonly isFirst: boolean;
  readonly metrics: Server | undefined;
}

async function open(settings: ServerSettings, maintenance: Maintenance): Promise<Opened> {
  const { origin, fetch, git, fonts, cors, rateLimit, maxBodyBytes } = settings;
  const storage = await openStorage(settings);
  const isFirst = await lacksOrganization(storage);
  const { storage: observed, options, serverFor } = observers(storage, settings);
  const api = createDocsApi(observed, {
    ...options,
    origin,
    fetch,
    git,
    // Whoever names a host or an e-mail domain publishes a TXT record that their settings tell them.
    verifyDomain: dnsVerifyDomain(),
    // The process stays, so what Git brings and what is translated goes on after the answer.
    waitUntil: () => {},
    onDue: maintenance.wantedAt,
    ...(await printerIn(fonts)),
    ...(await translatorOf(settings.translator)),
    ...secretOf(settings, isFirst),
    ...(cors ? { cors } : {}),
    ...(rateLimit ? { rateLimit } : {}),
    ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
  });
  await readyOrClosed(api);
  return { api, isFirst, metrics: serverFor?.(api) };
}

/** Prints in these fonts, each asked for the characters that those before it lack; in none, with the letters of Western Europe. */
async function printerIn(paths: readonly string[]): Promise<{ pdf?: Printer }> {
  const [sans, ...fallbacks] = paths.map((path) => () => readFile(path));
  return sans ? { pdf: (await import("octavo/pdf")).pdfPrinter({ fonts: { sans, fallbacks } }) } : {};
}

async function listen(
  server: Server,
  { port, host }: { readonly port: number; readonly host: string },
  option: string,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    const isTaken = error.code === "EADDRINUSE";
    const why = isTaken ? `it is in use: choose another one with ${option}` : error.message;
    throw new CommandFailed(`The server cannot listen on port ${port} of ${host}: ${why}.`);
  });
}

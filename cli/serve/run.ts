// Runs the server from its settings to its end.

import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createDocsApi, type DocsApi, type Printer } from "octavo";
import { dnsVerifyDomain, nodeHandler } from "octavo/node";
import type { Surroundings } from "../command";
import { CommandFailed } from "../failure";
import type { Given } from "../given";
import { keptSecret } from "../secret";
import { lacksOrganization, openStorage } from "../storage-settings";
import { firstStart } from "./first-start";
import { createMaintenance, type Maintenance } from "./maintenance";
import { type ServerSettings, serverSettings } from "./settings";
import { askedToStop, drain } from "./stop";
import { translatorOf } from "./translator";

export async function runServer(given: Given, { terminal, env }: Surroundings): Promise<undefined> {
  const settings = serverSettings(given, env);
  const asked = askedToStop();
  const maintenance = createMaintenance((error) => console.error(error));
  const { api, isFirst } = await open(settings, maintenance);
  const server = createServer(nodeHandler(api, { trustProxy: settings.trustedProxies }));
  await listen(server, settings);
  if (isFirst) await firstStart(api, settings, terminal.print);
  else terminal.print(`Octavo answers at ${settings.address}/v1`);
  maintenance.begin(api);
  await asked;
  maintenance.end();
  const drained = drain(server, settings.drainMs);
  terminal.print("Stopping: requests under way are answered first.");
  await drained;
  await api.close();
}

/** The API on its storage, and whether nothing was ever founded there. */
async function open(settings: ServerSettings, maintenance: Maintenance): Promise<{ api: DocsApi; isFirst: boolean }> {
  const { dataDir, origin, fetch, git, fonts, cors, rateLimit, maxBodyBytes } = settings;
  const storage = await openStorage(settings);
  const isFirst = await lacksOrganization(storage);
  const secret = settings.secret ?? (dataDir && keptSecret(dataDir, isFirst));
  const api = createDocsApi(storage, {
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
    ...(secret ? { secret } : {}),
    ...(cors ? { cors } : {}),
    ...(rateLimit ? { rateLimit } : {}),
    ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
  });
  return { api, isFirst };
}

/** Prints in these fonts, each asked for the characters that those before it lack; in none, with the letters of Western Europe. */
async function printerIn(paths: readonly string[]): Promise<{ pdf?: Printer }> {
  const [sans, ...fallbacks] = paths.map((path) => () => readFile(path));
  return sans ? { pdf: (await import("octavo/pdf")).pdfPrinter({ fonts: { sans, fallbacks } }) } : {};
}

async function listen(server: Server, { port, host }: ServerSettings): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    const isTaken = error.code === "EADDRINUSE";
    const why = isTaken ? "it is in use: choose another one with --port or PORT" : error.message;
    throw new CommandFailed(`The server cannot listen on port ${port} of ${host}: ${why}.`);
  });
}

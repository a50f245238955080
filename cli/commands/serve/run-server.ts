// Runs the server from its settings to its end.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createDocsApi, type DocsApi, type Printer } from "octavo";
import { createConsole } from "octavo/console";
import { dnsVerifyDomain, nodeHandler, prepareDrain } from "octavo/node";
import { createSignIn } from "octavo/sign-in";
import { createSite } from "octavo/site";
import { omitUndefined } from "../../../src/utils/objects";
import { secretsOf } from "../../connection/secret";
import { lacksOrganization, type OpenedStorage, openStorage } from "../../connection/storage-settings";
import type { Surroundings } from "../../framework/command";
import type { Given } from "../../framework/parsed-arguments";
import { goOnWithoutOutput } from "../../framework/watch-output";
import { answerAfter } from "./answer-after";
import { firstStart, printConsoleAddress } from "./first-start";
import { listenOn } from "./listen";
import { createMaintenance, type Maintenance } from "./maintenance";
import { type Observing, observing } from "./monitoring";
import { mailing } from "./send-mail";
import { type ServerSettings, serverSettings } from "./server-settings";
import { askedToStop } from "./stop";
import { translatorOf } from "./translator";

export async function runServer(given: Given, { terminal, env }: Surroundings): Promise<undefined> {
  const settings = serverSettings(given, env);
  const asked = askedToStop();
  let report: (error: unknown) => void = globalThis.console.error;
  const maintenance = createMaintenance((error) => report(error));
  const { api, isFirst, observed, opened } = await open(settings, maintenance, terminal.print);
  const { onError } = observed.options;
  if (onError) report = (error) => onError(error, {});
  const signIn = createSignIn(api, {
    home: "/",
    ...omitUndefined({ oauth: settings.redirectSchemes ? { redirectSchemes: settings.redirectSchemes } : undefined }),
  });
  const console = createConsole(api, { otherwise: signIn });
  const site = createSite(api, { otherwise: console, trustOrganizations: settings.trustOrganizations });
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const server = createServer(answerAfter(begun, nodeHandler(site, { trustProxy: settings.trustedProxies })));
  const drain = prepareDrain(server);
  await listenOn(server, settings.host, settings.port, "--port or PORT");
  await observed.begin(api);
  if (isFirst) await firstStart(api, signIn, settings, terminal.print);
  else {
    await printConsoleAddress(api, settings, terminal.print);
    terminal.print(`Octavo answers at ${settings.address}/v1`);
  }
  begin();
  goOnWithoutOutput();
  maintenance.begin(api);
  opened.listen?.(maintenance.wantedAt);
  await asked;
  const rested = maintenance.end(settings.drainMs);
  api.endStreams();
  const drained = drain({ limitMs: settings.drainMs });
  // Whoever reads the line and comes is refused.
  while (server.listening) await nextTurn();
  terminal.print("Stopping: requests under way are answered first.");
  const [next] = await Promise.all([rested, drained]);
  // What this process has put off is for the others.
  if (next) await opened.announce?.(next).catch(report);
  observed.end();
  await api.close();
}

/** The API on its storage, and whether nothing was ever founded there. */
async function open(
  settings: ServerSettings,
  maintenance: Maintenance,
  print: (line: string) => void,
): Promise<{ api: DocsApi; isFirst: boolean; observed: Observing; opened: OpenedStorage }> {
  const { origin, sitesUrl, fetch, imports, git, fonts, cors, rateLimit, maxBodyBytes } = settings;
  const opened = await openStorage(settings);
  const observed = observing(opened, settings);
  const { storage } = observed;
  const isFirst = await lacksOrganization(storage);
  const api = createDocsApi(storage, {
    origin,
    fetch,
    imports,
    git,
    // Whoever names a host or an e-mail domain publishes a TXT record that their settings tell them.
    verifyDomain: dnsVerifyDomain(),
    // The process stays, so what Git brings and what is translated goes on after the answer.
    waitUntil: () => {},
    onDue: maintenance.wantedAt,
    ...mailing(settings, print),
    ...observed.options,
    ...(await printerIn(fonts)),
    ...(await translatorOf(settings.translator)),
    ...secretsOf(settings, isFirst),
    ...omitUndefined({ sitesUrl, cors, rateLimit, maxBodyBytes }),
  });
  await api.ready();
  return { api, isFirst, observed, opened };
}

/** Prints in these fonts, each asked for the characters that those before it lack; in none, with the letters of Western Europe. */
async function printerIn(paths: readonly string[]): Promise<{ pdf?: Printer }> {
  const [sans, ...fallbacks] = paths.map((path) => () => readFile(path));
  return sans ? { pdf: (await import("octavo/pdf")).pdfPrinter({ fonts: { sans, fallbacks } }) } : {};
}

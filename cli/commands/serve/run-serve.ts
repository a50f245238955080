// Runs the server from its settings to its shutdown.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { createDocsApi, type DocsApi } from "octavo";
import { createConsole } from "octavo/console";
import { dnsVerifyDomain, nodeHandler, prepareDrain } from "octavo/node";
import { createSignIn } from "octavo/sign-in";
import { createSite } from "octavo/site";
import { omitUndefined } from "../../../src/utils/objects";
import { readStorageSecrets } from "../../connection/storage-secret";
import { hasNoOrganization, type OpenedStorage, openStorage } from "../../connection/storage-settings";
import type { CommandContext, CommandInput } from "../../framework/command";
import { continueWithoutOutput } from "../../framework/watch-output";
import { holdRequests } from "./hold-requests";
import { createMaintenance, type Maintenance } from "./maintenance";
import { createMonitoring, type Monitoring } from "./monitoring";
import { printConsoleAddress, provisionFirstOrganization } from "./provision-first-organization";
import { createMailOptions } from "./send-mail";
import { readServerSettings, type ServerSettings } from "./server-settings";
import { startListening } from "./start-listening";
import { createTranslator } from "./translator";

export async function runServe(input: CommandInput, { terminal, env }: CommandContext): Promise<undefined> {
  const settings = readServerSettings(input, env);
  // Resolves when the process is asked to end, in any way that its system supports.
  const stopRequest = new Promise<void>((resolve) => {
    // Windows has no SIGTERM, but Ctrl+C, Ctrl+Break, and messages of the parent process.
    for (const signal of ["SIGTERM", "SIGINT", "SIGBREAK"]) process.once(signal, () => resolve());
    if (process.send) process.on("message", (message) => message === "shutdown" && resolve());
    if (!process.env.npm_lifecycle_event) return;
    // npm passes a signal to its shell, and many shells end without passing it on. Then this process gets another parent.
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      resolve();
    }, 250).unref();
  });
  let report: (error: unknown) => void = globalThis.console.error;
  const maintenance = createMaintenance((error) => report(error));
  const { api, isFirst, monitoring, opened } = await openServerApi(settings, maintenance, terminal.print);
  const { onError } = monitoring.options;
  if (onError) report = (error) => onError(error, {});
  const signIn = createSignIn(api, {
    home: "/",
    linkCommand: "octavo user link <email>",
    ...omitUndefined({ oauth: settings.redirectSchemes ? { redirectSchemes: settings.redirectSchemes } : undefined }),
  });
  const console = createConsole(api, { fallback: signIn });
  const site = createSite(api, { fallback: console, trustOrganizations: settings.trustOrganizations });
  let markReady = () => {};
  const ready = new Promise<void>((resolve) => {
    markReady = resolve;
  });
  const server = createServer(holdRequests(ready, nodeHandler(site, { trustProxy: settings.trustedProxies })));
  const drain = prepareDrain(server);
  await startListening(server, settings.host, settings.port, "--port or PORT");
  await monitoring.begin(api);
  if (isFirst) await provisionFirstOrganization(api, signIn, settings, terminal.print);
  else {
    await printConsoleAddress(api, settings, terminal.print);
    terminal.print(`Octavo is running at ${settings.address}/v1`);
  }
  markReady();
  continueWithoutOutput();
  maintenance.begin(api);
  opened.listen?.(maintenance.schedule);
  await stopRequest;
  const maintenanceEnd = maintenance.end(settings.drainMs);
  api.endStreams();
  const drained = drain({ limitMs: settings.drainMs });
  // The line is printed when new connections are refused.
  while (server.listening) await yieldToEventLoop();
  terminal.print("Shutting down after running requests.");
  const [next] = await Promise.all([maintenanceEnd, drained]);
  // The deferred work of this process is left to the others.
  if (next) await opened.announce?.(next).catch(report);
  monitoring.end();
  await api.close();
}

/** Opens the API on its storage. `isFirst` is true if the storage has no organization. */
async function openServerApi(
  settings: ServerSettings,
  maintenance: Maintenance,
  print: (line: string) => void,
): Promise<{ api: DocsApi; isFirst: boolean; monitoring: Monitoring; opened: OpenedStorage }> {
  const { origin, sitesUrl, fetch, imports, git, fonts, cors, rateLimit, maxBodyBytes } = settings;
  const opened = await openStorage(settings);
  const monitoring = createMonitoring(opened, settings);
  const { storage } = monitoring;
  const isFirst = await hasNoOrganization(storage);
  // Each fallback font is used for the characters that those before it lack. Without fonts, a PDF has Latin letters only.
  const [sans, ...fallbacks] = fonts.map((path) => () => readFile(path));
  const pdf = sans ? (await import("octavo/pdf")).pdfPrinter({ fonts: { sans, fallbacks } }) : undefined;
  const api = createDocsApi(storage, {
    origin,
    fetch,
    imports,
    git,
    // The owner of a host or an e-mail domain proves it with a TXT record.
    verifyDomain: dnsVerifyDomain(),
    // The process keeps running, so Git synchronizations and translations continue after the response.
    waitUntil: () => {},
    onDue: maintenance.schedule,
    ...(await createMailOptions(settings, print)),
    ...monitoring.options,
    ...(await createTranslator(settings.translator)),
    ...readStorageSecrets(settings, isFirst),
    ...omitUndefined({ sitesUrl, cors, rateLimit, maxBodyBytes, pdf }),
  });
  await api.ready();
  return { api, isFirst, monitoring, opened };
}

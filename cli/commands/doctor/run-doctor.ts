// Runs all examinations and prints a line for each.

import { storageSettings } from "../../connection/storage-settings";
import type { Surroundings } from "../../framework/command";
import { STATUS, type Status, wrongUse } from "../../framework/errors";
import { columns, printResult } from "../../framework/output";
import type { Given } from "../../framework/parsed-arguments";
import { freePort, nodeVersion, outbound, packages } from "./diagnose-machine";
import { server } from "./diagnose-server";
import { storage } from "./diagnose-storage";
import type { Diagnosis } from "./diagnosis";

export async function runDoctor(given: Given, { terminal, env, signal }: Surroundings): Promise<Status> {
  const { text } = given;
  const [url, fetched, port] = [text("url"), text("fetch"), Number(text("port") ?? 3000)];
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw wrongUse(`${given.label("port")} must be a whole number from 1 to 65535.`);
  for (const name of ["url", "fetch"])
    if (text(name) !== undefined && !URL.canParse(text(name)!)) throw wrongUse(`${given.label(name)} must be a URL.`);
  const hasStorage = ["data", "storage", "s3-bucket"].some((name) => text(name) !== undefined);
  const settings = hasStorage ? storageSettings(given, env) : undefined;
  const found: Diagnosis[] = [
    nodeVersion(process.version),
    ...(await packages(settings)),
    ...(settings ? await storage(settings) : []),
    ...(url === undefined
      ? [await freePort(text("host") ?? "127.0.0.1", port)]
      : await server(url, text("token"), signal)),
    ...(fetched === undefined ? [] : [await outbound(fetched)]),
  ];
  const isIll = found.some(({ state }) => state === "fail");
  printResult(
    given,
    terminal,
    { healthy: !isIll, found },
    columns(found.map(({ state, what, says }) => [state, what, says])),
  );
  return isIll ? STATUS.failed : STATUS.done;
}

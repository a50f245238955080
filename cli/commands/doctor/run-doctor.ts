// Runs all inspections and prints a line for each.

import { listGivenStorageOptions } from "../../connection/connect";
import { readStorageSettings } from "../../connection/storage-settings";
import type { CommandInput } from "../../framework/command";
import {
  type CommandContext,
  formatColumns,
  printResult,
  STATUS,
  type Status,
  UsageError,
} from "../../framework/command";
import type { Diagnosis } from "./diagnosis";
import { inspectNodeVersion, inspectOutboundRequests, inspectPackages, inspectPort } from "./inspect-machine";
import { inspectServer } from "./inspect-server";
import { inspectStorage } from "./inspect-storage";

export async function runDoctor(input: CommandInput, { terminal, env, signal }: CommandContext): Promise<Status> {
  const { text } = input;
  const [url, fetched, port] = [text("url"), text("fetch"), Number(text("port") ?? 3000)];
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new UsageError(`${input.label("port")} must be a whole number from 1 to 65535.`);
  for (const name of ["url", "fetch"])
    if (text(name) !== undefined && !URL.canParse(text(name)!))
      throw new UsageError(`${input.label(name)} must be a URL.`);
  const settings = listGivenStorageOptions(input).length > 0 ? readStorageSettings(input, env) : undefined;
  const found: Diagnosis[] = [
    inspectNodeVersion(process.version),
    ...(await inspectPackages(settings)),
    ...(settings ? await inspectStorage(settings) : []),
    ...(url === undefined
      ? [await inspectPort(text("host") ?? "127.0.0.1", port)]
      : await inspectServer(url, text("token"), signal)),
    ...(fetched === undefined ? [] : [await inspectOutboundRequests(fetched)]),
  ];
  const isUnhealthy = found.some(({ state }) => state === "fail");
  printResult(
    input,
    terminal,
    { healthy: !isUnhealthy, found },
    formatColumns(found.map(({ state, what, says }) => [state, what, says])),
  );
  return isUnhealthy ? STATUS.failed : STATUS.done;
}

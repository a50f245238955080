// Runs the verification of a storage, and prints the damage that it finds.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { verify } from "octavo/storage-tools";
import { readStorageSecrets } from "../../connection/storage-secret";
import type { CommandInput } from "../../framework/command";
import { type CommandContext, formatCount, printResult, STATUS, type Status } from "../../framework/command";
import { runStorageTool } from "../../storage/run-storage-tool";
import { readSourceSettings, runWithStorage } from "../../storage/storage-arguments";

export async function runVerify(input: CommandInput, context: CommandContext): Promise<Status> {
  const { terminal, env, signal } = context;
  const source = readSourceSettings(input, env);
  const hasSecret =
    source.secret !== undefined || (source.dataDir !== undefined && existsSync(join(source.dataDir, "secret")));
  const { secret } = hasSecret ? readStorageSecrets(source, false) : {};
  const result = await runStorageTool(context, (onProgress) =>
    runWithStorage(source, (storage) =>
      verify(storage, { secret, repair: input.isEnabled("repair"), onProgress, signal }),
    ),
  );
  const left = result.damaged - result.repaired;
  printResult(input, terminal, { whole: left === 0, ...result }, [
    ...result.findings.map((it) => `${it.isRepaired ? "repaired" : it.damage}  ${it.partition}: ${it.says}`),
    [
      formatCount(result.entries, "entry", "entries"),
      formatCount(result.records, "record"),
      `${formatCount(result.objects, "object")} and ${formatCount(result.blobs, "blob")} in ${formatCount(result.partitions, "partition")}.`,
    ].join(", "),
    ...(result.notLookedInto > 0
      ? [
          `${formatCount(result.notLookedInto, "sealed field or log", "sealed fields and logs")} not verified: set SECRET.`,
        ]
      : []),
    `${formatCount(result.unreachable.objects, "object")} and ${formatCount(result.unreachable.blobs, "blob")} unreferenced, to be deleted by the next sweep.`,
    left === 0 ? "No problems found." : `Found ${formatCount(left, "problem")}.`,
  ]);
  return left === 0 ? STATUS.done : STATUS.failed;
}

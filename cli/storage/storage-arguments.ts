// The options of the commands that work on whole storages, and the storages that these name.

import { existsSync } from "node:fs";
import type { Storage } from "octavo";
import { omitUndefined } from "../../src/utils/objects";
import { existingStorageOptions, listGivenStorageOptions } from "../connection/connect";
import { openStorage, readStorageSettings, type StorageSettings } from "../connection/storage-settings";
import type { CommandInput, EnvironmentVariables } from "../framework/command";
import { CommandError, type CommandOption, UsageError } from "../framework/command";

/** The storage that is copied, backed up, restored or verified. */
export const sourceOptions: readonly CommandOption[] = existingStorageOptions;

const SECRET_OPTIONS = ["secret", "old-secret"];

/** The same options for the target of a copy: `--to-storage`, `TO_DATABASE_URL`. A copy does not need the secret. */
export const targetOptions: readonly CommandOption[] = existingStorageOptions
  .filter(({ name }) => !SECRET_OPTIONS.includes(name))
  .map((option) => ({
    ...option,
    name: `to-${option.name}`,
    ...omitUndefined({
      variable: option.variable === undefined ? undefined : `TO_${option.variable}`,
      fallback: option.name === "data" ? "none" : undefined,
    }),
    summary: `Target: ${option.summary.charAt(0).toLowerCase()}${option.summary.slice(1)}`,
  }));

/** Reads the storage that the options name. It must exist, so that a wrong name does not create one. */
export function readSourceSettings(
  input: CommandInput,
  env: EnvironmentVariables,
  { mayBeMissing = false }: { readonly mayBeMissing?: boolean } = {},
): StorageSettings {
  if (listGivenStorageOptions(input).length === 0) throw new UsageError("Specify a storage with --data or --storage.");
  const settings = readStorageSettings(input, env, { needsSecret: false });
  if (!mayBeMissing && settings.dataDir !== undefined && !existsSync(settings.dataDir))
    throw new CommandError(`Folder not found: ${settings.dataDir}. Set it with --data.`);
  return settings;
}

/** Reads the storage that the options of the target name. */
export function readTargetSettings(input: CommandInput, env: EnvironmentVariables): StorageSettings {
  const renamed: CommandInput = {
    ...input,
    text: (name) => (SECRET_OPTIONS.includes(name) ? undefined : input.text(`to-${name}`)),
    texts: (name) => input.texts(`to-${name}`),
    isEnabled: (name) => input.isEnabled(`to-${name}`),
    isFlag: (name) => input.isFlag(`to-${name}`),
    label: (name) => input.label(`to-${name}`),
  };
  if (listGivenStorageOptions(renamed).length === 0)
    throw new UsageError("Specify the target with --to-data or --to-storage.");
  return readStorageSettings(renamed, env, { needsSecret: false });
}

/** The cache for records, in bytes. It is small because these commands read each record once. */
const CACHE_BYTES = 4 * 1024 * 1024;

/** Opens a storage, runs `run` on it, and closes it. */
export async function runWithStorage<T>(settings: StorageSettings, run: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage(settings, { cacheBytes: CACHE_BYTES });
  try {
    return await run(storage);
  } finally {
    await storage.close();
  }
}

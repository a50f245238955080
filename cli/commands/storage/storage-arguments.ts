// The options of the commands that work on whole storages, and the storages that they name.

import { existsSync } from "node:fs";
import type { Storage } from "octavo";
import { omitUndefined } from "../../../src/utils/objects";
import { existingStorageOptions, storageNamed } from "../../connection/connect";
import { openStorage, type StorageSettings, storageSettings } from "../../connection/storage-settings";
import { CommandFailed, wrongUse } from "../../framework/errors";
import type { Option } from "../../framework/option";
import type { Given } from "../../framework/parsed-arguments";

/** What is copied, kept or checked. */
export const sourceOptions: readonly Option[] = existingStorageOptions;

const isSecret = ({ name }: Option) => name === "secret" || name === "old-secret";

/** The same options for a storage that is written to: `--to-storage`, `TO_DATABASE_URL`. The secret is not needed for that. */
export const targetOptions: readonly Option[] = existingStorageOptions
  .filter((option) => !isSecret(option))
  .map((option) => ({
    ...option,
    name: `to-${option.name}`,
    ...omitUndefined({
      variable: option.variable === undefined ? undefined : `TO_${option.variable}`,
      fallback: option.name === "data" ? "none" : undefined,
    }),
    summary: `Of the target: ${option.summary.charAt(0).toLowerCase()}${option.summary.slice(1)}`,
  }));

type Environment = Readonly<Record<string, string | undefined>>;

/** The storage that the options name. It must be there: none is made by a wrong name. */
export function sourceOf(
  given: Given,
  env: Environment,
  { mayBeMissing = false }: { readonly mayBeMissing?: boolean } = {},
): StorageSettings {
  if (storageNamed(given).length === 0) throw wrongUse("Which storage? --data or --storage name it.");
  const settings = storageSettings(given, env, { needsSecret: false });
  if (!mayBeMissing && settings.dataDir !== undefined && !existsSync(settings.dataDir))
    throw new CommandFailed(`There is no folder ${settings.dataDir}: name the data with --data.`);
  return settings;
}

/** The storage that the options of the target name. */
export function targetOf(given: Given, env: Environment): StorageSettings {
  const renamed: Given = {
    ...given,
    text: (name) => (name === "secret" || name === "old-secret" ? undefined : given.text(`to-${name}`)),
    texts: (name) => given.texts(`to-${name}`),
    isOn: (name) => given.isOn(`to-${name}`),
    isFlag: (name) => given.isFlag(`to-${name}`),
    label: (name) => given.label(`to-${name}`),
  };
  if (storageNamed(renamed).length === 0) throw wrongUse("Where to? --to-data or --to-storage name the target.");
  return storageSettings(renamed, env, { needsSecret: false });
}

/** Memory for records that were read, in bytes: whoever walks through everything reads each of them once. */
const CACHE_BYTES = 4 * 1024 * 1024;

/** Opens a storage, does something with it and closes it. */
export async function withStorage<T>(settings: StorageSettings, run: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage(settings, { cacheBytes: CACHE_BYTES });
  try {
    return await run(storage);
  } finally {
    await storage.close();
  }
}

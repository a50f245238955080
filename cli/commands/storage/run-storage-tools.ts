// Does what the commands on whole storages say.

import { createReadStream, createWriteStream, existsSync, statSync } from "node:fs";
import { chmod, copyFile, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import {
  type BackupHeader,
  backup,
  copyStorage,
  readBackupHeader,
  restore,
  StorageToolError,
  verify,
} from "octavo/storage-tools";
import { secretsOf } from "../../connection/secret";
import type { StorageSettings } from "../../connection/storage-settings";
import type { Surroundings } from "../../framework/command";
import { CommandFailed, STATUS, type Status } from "../../framework/errors";
import { counted, printResult } from "../../framework/output";
import type { Given } from "../../framework/parsed-arguments";
import { showProgress } from "./show-progress";
import { sourceOf, targetOf, withStorage } from "./storage-arguments";

/** What the names of backups in a folder end with. */
const ENDING = ".octavo";

/** Runs long work with its progress shown. What is refused is told as a sentence. */
async function shown<T>(
  { terminal }: Surroundings,
  run: (onProgress: ReturnType<typeof showProgress>["onProgress"]) => Promise<T>,
): Promise<T> {
  const { onProgress, end } = showProgress(terminal);
  try {
    return await run(onProgress);
  } catch (error) {
    throw error instanceof StorageToolError ? new CommandFailed(error.message) : error;
  } finally {
    end();
  }
}

export async function runCopyStorage(given: Given, surroundings: Surroundings): Promise<undefined> {
  const { terminal, env, signal } = surroundings;
  const source = sourceOf(given, env);
  const target = targetOf(given, env);
  const moved = await shown(surroundings, (onProgress) =>
    withStorage(source, (from) => withStorage(target, (to) => copyStorage(from, to, { onProgress, signal }))),
  );
  printResult(given, terminal, moved, [
    `Copied ${counted(moved.entries, "entry", "entries")} and ${counted(moved.blobs, "blob")} of ${counted(moved.partitions, "partition")}.`,
  ]);
  await bringSecret(source, target, surroundings);
  return undefined;
}

/** The secret of a LevelDB directory goes along to another one. Elsewhere it has to be set. */
async function bringSecret(
  source: StorageSettings,
  target: StorageSettings,
  { terminal }: Surroundings,
): Promise<void> {
  const kept = source.dataDir === undefined ? undefined : join(source.dataDir, "secret");
  if (kept === undefined || !existsSync(kept)) return;
  if (target.dataDir === undefined)
    return terminal.tell(`The target needs the same secret: set SECRET to what ${kept} says.`);
  const to = join(target.dataDir, "secret");
  await copyFile(kept, to);
  await chmod(to, 0o600);
}

export async function runBackup(given: Given, surroundings: Surroundings): Promise<undefined> {
  const { terminal, env, signal } = surroundings;
  const source = sourceOf(given, env);
  const path = given.args[0]!;
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  const base = isFolder && !given.isOn("full") ? (await backupsIn(path)).at(-1)?.file : undefined;
  const time = new Date().toISOString().replaceAll(":", "-");
  const file = isFolder ? join(path, `${time}${ENDING}`) : path;
  if (existsSync(file)) throw new CommandFailed(`${file} is there already: give another name.`);
  // Only a whole backup gets its name.
  const part = `${file}.part`;
  const made = await shown(surroundings, (onProgress) =>
    withStorage(source, (storage) => {
      const sink = Writable.toWeb(createWriteStream(part, { mode: 0o600 })) as WritableStream<Uint8Array>;
      return backup(storage, sink, { onProgress, signal, base: base === undefined ? undefined : streamOf(base) });
    }),
  ).catch(async (error: unknown) => {
    await rm(part, { force: true });
    throw error;
  });
  await sync(part);
  await rename(part, file);
  const missing = made.isOneMoment
    ? []
    : ["Much was written meanwhile: each partition is as it was at a time of its own."];
  const needs =
    made.needs.length === 0 ? [] : [`It needs ${counted(made.needs.length, "earlier backup")} of this folder.`];
  printResult(given, terminal, { file, ...made }, [
    `Wrote ${file}: ${counted(made.entries, "entry", "entries")}, ${counted(made.blobs, "blob")}, ${counted(made.bytes, "byte")}.`,
    ...needs,
    ...missing,
  ]);
  return undefined;
}

async function sync(path: string): Promise<void> {
  const file = await open(path, "r+");
  await file.sync();
  await file.close();
}

function streamOf(file: string): ReadableStream<Uint8Array> {
  return Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
}

/** The backups of a folder, the oldest first. */
async function backupsIn(folder: string): Promise<{ readonly file: string; readonly header: BackupHeader }[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(ENDING)).map((name) => join(folder, name));
  const found = await Promise.all(
    files.map(async (file) => ({ file, header: await readBackupHeader(streamOf(file)) })),
  );
  return found.sort((a, b) => (a.header.createdAt < b.header.createdAt ? -1 : 1));
}

export async function runRestore(given: Given, surroundings: Surroundings): Promise<undefined> {
  const { terminal, env, signal } = surroundings;
  const path = given.args[0]!;
  if (!existsSync(path)) throw new CommandFailed(`There is no backup ${path}.`);
  const target = storageToFill(given, env);
  const moved = await shown(surroundings, async (onProgress) => {
    const isFolder = statSync(path).isDirectory();
    const others = await backupsIn(isFolder ? path : join(path, ".."));
    const file = isFolder ? others.at(-1)?.file : path;
    if (file === undefined) throw new CommandFailed(`There is no backup in ${path}.`);
    const earlier = async (id: string) => {
      const found = others.find(({ header }) => header.id === id);
      return found && streamOf(found.file);
    };
    return withStorage(target, (storage) => restore(streamOf(file), storage, { earlier, onProgress, signal }));
  });
  printResult(given, terminal, moved, [
    `Restored ${counted(moved.entries, "entry", "entries")} and ${counted(moved.blobs, "blob")} of ${counted(moved.partitions, "partition")}.`,
  ]);
  if (target.dataDir !== undefined && !existsSync(join(target.dataDir, "secret")))
    terminal.tell(`Put the secret of the system into ${join(target.dataDir, "secret")}, or set SECRET.`);
  return undefined;
}

function storageToFill(given: Given, env: Surroundings["env"]): StorageSettings {
  const renamed = { ...given, text: (name: string) => (name === "secret" ? undefined : given.text(name)) };
  return sourceOf(renamed, env, { mayBeMissing: true });
}

export async function runVerify(given: Given, surroundings: Surroundings): Promise<Status> {
  const { terminal, env, signal } = surroundings;
  const source = sourceOf(given, env);
  const hasSecret =
    source.secret !== undefined || (source.dataDir !== undefined && existsSync(join(source.dataDir, "secret")));
  const { secret } = hasSecret ? secretsOf(source, false) : {};
  const found = await shown(surroundings, (onProgress) =>
    withStorage(source, (storage) => verify(storage, { secret, repair: given.isOn("repair"), onProgress, signal })),
  );
  const left = found.damaged - found.repaired;
  printResult(given, terminal, { whole: left === 0, ...found }, [
    ...found.findings.map((it) => `${it.isRepaired ? "repaired" : it.damage}  ${it.partition}: ${it.says}`),
    `${counted(found.entries, "entry", "entries")}, ${counted(found.records, "record")}, ${counted(found.objects, "object")} and ${counted(found.blobs, "blob")} in ${counted(found.partitions, "partition")}.`,
    ...(found.notLookedInto > 0
      ? [
          `${counted(found.notLookedInto, "sealed field or log", "sealed fields and logs")} not looked into: set SECRET.`,
        ]
      : []),
    `${counted(found.unreachable.objects, "object")} and ${counted(found.unreachable.blobs, "blob")} that nothing refers to, for the next sweep.`,
    left === 0 ? "Everything is whole." : `${counted(left, "thing is", "things are")} wrong.`,
  ]);
  return left === 0 ? STATUS.done : STATUS.failed;
}

// The settings of the storage that the options name, and of its secret. Both are checked before anything is opened.

import type { Storage } from "octavo";
import type { PostgresStorage } from "octavo/postgres";
import { omitUndefined } from "../../src/utils/objects";
import type { CommandInput, EnvironmentVariables } from "../framework/command";
import { UsageError } from "../framework/command";

export interface StorageSettings {
  /** The LevelDB directory; undefined for other storages. */
  readonly dataDir: string | undefined;
  readonly s3: S3Settings | undefined;
  readonly postgres: { readonly url: string; readonly schema: string } | undefined;
  readonly secret: string | undefined;
  /** The secret that is being replaced. */
  readonly oldSecret: string | undefined;
}

interface S3Settings {
  readonly bucket: string;
  readonly prefix: string;
  readonly config: {
    readonly region?: string;
    readonly endpoint?: string;
    readonly forcePathStyle?: boolean;
  };
}

export function readStorageSettings(
  input: CommandInput,
  env: EnvironmentVariables,
  /** `needsSecret`: requires the secret for a shared storage. Copying sealed values does not need it. Default: true. */
  { needsSecret = true }: { readonly needsSecret?: boolean } = {},
): StorageSettings {
  const { text, label } = input;
  const kind = text("storage") ?? "level";
  const bucket = text("s3-bucket");
  if (kind === "s3" && bucket === undefined)
    throw new UsageError(`${label("s3-bucket")} must name the bucket when ${label("storage")} is s3.`);
  const endpoint = text("s3-endpoint");
  if (endpoint !== undefined && !URL.canParse(endpoint))
    throw new UsageError(`${label("s3-endpoint")} must be a URL, such as https://s3.example.com.`);
  const secret = text("secret");
  if (secret !== undefined && secret.length < 32) throw new UsageError("SECRET must have at least 32 characters.");
  const oldSecret = text("old-secret");
  if (oldSecret !== undefined && oldSecret.length < 32)
    throw new UsageError("OLD_SECRET must have at least 32 characters.");
  const shared = kind === "s3" ? "bucket" : kind === "postgres" ? "database" : undefined;
  if (shared && needsSecret && secret === undefined)
    throw new UsageError(
      `SECRET must be set when ${label("storage")} is ${kind}: all processes on a ${shared} share it.`,
    );
  const databaseUrl = text("database-url");
  const schema = text("postgres-schema") ?? "octavo";
  if (kind === "postgres") {
    // The URL contains a password, so the message does not repeat it.
    if (databaseUrl === undefined || !/^postgres(ql)?:\/\//.test(databaseUrl))
      throw new UsageError(
        `DATABASE_URL must be postgres://user:password@host/database when ${label("storage")} is postgres.`,
      );
    if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
      throw new UsageError(`${label("postgres-schema")} must consist of lowercase letters, digits and underscores.`);
  }
  // Everything that the AWS variables do not configure.
  const config = omitUndefined({
    region: env.AWS_REGION || env.AWS_DEFAULT_REGION ? undefined : "us-east-1",
    endpoint,
    forcePathStyle: input.isEnabled("s3-force-path-style") ? true : undefined,
  });
  return {
    dataDir: kind === "level" ? (text("data") ?? "./data") : undefined,
    s3: kind === "s3" ? { bucket: bucket!, prefix: text("s3-prefix") ?? "", config } : undefined,
    postgres: kind === "postgres" ? { url: databaseUrl!, schema } : undefined,
    secret,
    oldSecret,
  };
}

/** A storage, with the functions by which processes notify each other of waiting work, where it supports that. */
export type OpenedStorage = Storage & Partial<Pick<PostgresStorage, "announce" | "listen">>;

/** Opens a storage. Only its own adapter is loaded. `cacheBytes` limits the cache of commands that read everything once. */
export async function openStorage(
  { dataDir, s3, postgres }: StorageSettings,
  options: { readonly cacheBytes?: number } = {},
): Promise<OpenedStorage> {
  if (postgres)
    return (await import("octavo/postgres")).postgresStorage(postgres.url, { schema: postgres.schema, ...options });
  if (s3) return (await import("octavo/s3")).s3Storage({ ...s3, ...options });
  if (dataDir !== undefined) return (await import("octavo/level")).levelStorage(dataDir, options);
  return (await import("octavo/memory")).memoryStorage();
}

/** Returns true if the storage has no organization: each has a partition of its own beside the directory of users. */
export async function hasNoOrganization(storage: Storage): Promise<boolean> {
  let partitions = 0;
  for await (const _ of storage.partitions()) if (++partitions === 2) return false;
  return true;
}

/** Returns true if a storage could not be opened because another process, such as a server, holds its LevelDB directory. */
export function isHeldByAnotherProcess(error: unknown): error is Error {
  return error instanceof Error && /is in use by another process/.test(error.message);
}

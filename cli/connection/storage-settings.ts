// Which storage the options name, and its secret. Both are checked before anything is opened.

import type { Storage } from "octavo";
import type { PostgresStorage } from "octavo/postgres";
import { omitUndefined } from "../../src/utils/objects";
import { wrongUse } from "../framework/errors";
import type { Given } from "../framework/parsed-arguments";

export interface StorageSettings {
  /** The LevelDB directory; undefined for other storages. */
  readonly dataDir: string | undefined;
  readonly s3: S3Settings | undefined;
  readonly postgres: PostgresSettings | undefined;
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

interface PostgresSettings {
  readonly url: string;
  readonly schema: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function storageSettings(
  given: Given,
  env: Environment,
  /** Whether the secret must be there. What moves sealed values as they are does not need it. Default: true. */
  { needsSecret = true }: { readonly needsSecret?: boolean } = {},
): StorageSettings {
  const { text, label } = given;
  const kind = text("storage") ?? "level";
  const bucket = text("s3-bucket");
  if (kind === "s3" && bucket === undefined)
    throw wrongUse(`${label("s3-bucket")} must name the bucket when ${label("storage")} is s3.`);
  const endpoint = text("s3-endpoint");
  if (endpoint !== undefined && !URL.canParse(endpoint))
    throw wrongUse(`${label("s3-endpoint")} must be a URL, such as https://s3.example.com.`);
  const secret = text("secret");
  if (secret !== undefined && secret.length < 32) throw wrongUse("SECRET must have at least 32 characters.");
  const oldSecret = text("old-secret");
  if (oldSecret !== undefined && oldSecret.length < 32) throw wrongUse("OLD_SECRET must have at least 32 characters.");
  const shared = kind === "s3" ? "bucket" : kind === "postgres" ? "database" : undefined;
  if (shared && needsSecret && secret === undefined)
    throw wrongUse(`SECRET must be set when ${label("storage")} is ${kind}: all processes on a ${shared} share it.`);
  return {
    dataDir: kind === "level" ? (text("data") ?? "./data") : undefined,
    s3: kind === "s3" ? { bucket: bucket!, prefix: text("s3-prefix") ?? "", config: s3Config(given, env) } : undefined,
    postgres: kind === "postgres" ? postgresSettings(given) : undefined,
    secret,
    oldSecret,
  };
}

function postgresSettings({ text, label }: Given): PostgresSettings {
  const url = text("database-url");
  // The address holds a password, so it is not repeated.
  if (url === undefined || !/^postgres(ql)?:\/\//.test(url))
    throw wrongUse(`DATABASE_URL must be postgres://user:password@host/database when ${label("storage")} is postgres.`);
  const schema = text("postgres-schema") ?? "octavo";
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw wrongUse(`${label("postgres-schema")} must be of small letters, digits and underscores.`);
  return { url, schema };
}

/** What the AWS variables do not say: another server than Amazon's, and how its buckets are addressed. */
function s3Config({ text, isOn }: Given, env: Environment): S3Settings["config"] {
  const endpoint = text("s3-endpoint");
  return {
    ...omitUndefined({
      region: env.AWS_REGION || env.AWS_DEFAULT_REGION ? undefined : "us-east-1",
      endpoint,
      forcePathStyle: isOn("s3-force-path-style") ? true : undefined,
    }),
  };
}

/** A storage, and how processes on it tell each other that work waits, where they can. */
export type OpenedStorage = Storage & Partial<Pick<PostgresStorage, "announce" | "listen">>;

/** Only the storage that is used is loaded. `cacheBytes` is for those who read everything once. */
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

/** Whether no organization was founded yet: each has a partition of its own beside the directory of users. */
export async function lacksOrganization(storage: Storage): Promise<boolean> {
  let partitions = 0;
  for await (const _ of storage.partitions()) if (++partitions === 2) return false;
  return true;
}

// A documentation server on Node, as `npm start` runs it: settings from the environment, data in LevelDB, and on the
// first start an organization with an admin. Copy it and change what you like.

import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { createDocsApi, type DocsApi, type Printer, type Storage, type Translator } from "octavo";
import { levelStorage } from "octavo/level";
import { memoryStorage } from "octavo/memory";
import { dnsVerifyDomain, guardedFetch, nodeHandler } from "octavo/node";

const HOUR_MS = 60 * 60 * 1000;

start().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});

async function start(): Promise<void> {
  const settings = readSettings(process.env);
  const { dataDir, origin, address, fetch, git, fonts } = settings;
  const storage = await openStorage(settings);
  const isFirst = await lacksOrganization(storage);
  const secret = settings.secret ?? (dataDir && keptSecret(join(dataDir, "secret"), isFirst));
  const maintenance = createMaintenance();
  const api = createDocsApi(storage, {
    origin,
    fetch,
    git,
    // Whoever names a host or an e-mail domain publishes a TXT record that their settings tell them.
    verifyDomain: dnsVerifyDomain(),
    // The process stays, so what Git brings and what is translated goes on after the answer.
    waitUntil: () => {},
    onDue: maintenance.wantedAt,
    ...(await printerIn(fonts)),
    ...(await translatorOf(settings.translator)),
    ...(secret ? { secret: settings.oldSecret ? [secret, settings.oldSecret] : secret } : {}),
  });
  await api.ready();
  const server = createServer(nodeHandler(api));
  await listen(server, settings);
  if (isFirst) await provision(api, settings);
  else console.log(`Octavo answers at ${address}/v1`);
  maintenance.begin(api);
  for (const signal of ["SIGTERM", "SIGINT"])
    process.once(signal, () => void stop(server, settings, maintenance.end, api));
}

type Settings = ReturnType<typeof readSettings>;

/** Throws a sentence about the first value that will not do. An empty variable counts as absent. */
function readSettings(env: NodeJS.ProcessEnv) {
  const demand = (holds: boolean, sentence: string) => {
    if (!holds) throw new Error(sentence);
  };
  const port = env.PORT || "3000";
  demand(/^\d{1,5}$/.test(port) && +port > 0 && +port < 65536, "PORT must be a number from 1 to 65535.");
  const drainSeconds = env.DRAIN_SECONDS || "10";
  demand(/^\d{1,5}$/.test(drainSeconds), "DRAIN_SECONDS must be a whole number from 0 to 99999.");
  const host = env.HOST || "127.0.0.1";
  const address = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  demand(URL.canParse(address), "HOST must be a host name or an IP address.");
  const origin = env.ORIGIN || address;
  demand(
    origin === address || isOrigin(origin),
    "ORIGIN must be an origin without a path, such as https://docs.example.com.",
  );
  const storage = env.STORAGE || "level";
  demand(["level", "memory", "s3"].includes(storage), "STORAGE must be level, memory or s3.");
  const bucket = env.S3_BUCKET || undefined;
  demand(storage !== "s3" || bucket !== undefined, "S3_BUCKET must name the bucket when STORAGE is s3.");
  demand(
    !env.S3_ENDPOINT || URL.canParse(env.S3_ENDPOINT),
    "S3_ENDPOINT must be a URL, such as https://s3.example.com.",
  );
  demand(/^(true|false|)$/.test(env.S3_FORCE_PATH_STYLE ?? ""), "S3_FORCE_PATH_STYLE must be true or false.");
  const adminToken = env.ADMIN_TOKEN || undefined;
  const tokenForm = /^[\x21-\x7e]{16,512}$/;
  demand(!adminToken || tokenForm.test(adminToken), "ADMIN_TOKEN must have 16 to 512 visible ASCII characters.");
  const secret = env.SECRET || undefined;
  demand(!secret || secret.length >= 32, "SECRET must have at least 32 characters.");
  const oldSecret = env.OLD_SECRET || undefined;
  demand(!oldSecret || oldSecret.length >= 32, "OLD_SECRET must have at least 32 characters.");
  const isShared = storage === "s3";
  demand(
    !isShared || secret !== undefined,
    "SECRET must be set when STORAGE is s3: all processes on a bucket share it.",
  );
  const allow = (env.EGRESS_ALLOW ?? "").split(",").flatMap((entry) => entry.trim() || []);
  return {
    port: +port,
    host,
    address,
    origin,
    adminToken,
    secret,
    oldSecret,
    drainMs: Number(drainSeconds) * 1000,
    dataDir: storage === "level" ? env.DATA_DIR || "./data" : undefined,
    s3: isShared ? { bucket: bucket!, prefix: env.S3_PREFIX ?? "", config: s3Config(env) } : undefined,
    fetch: outbound(allow),
    // Who is trusted inside one's own network may speak plain http there.
    git: { http: allow },
    translator: translatorIn(env, demand),
    fonts: fontFiles((env.PDF_FONTS ?? "").split(",").flatMap((path) => path.trim() || [])),
  };
}

function translatorIn(env: NodeJS.ProcessEnv, demand: (holds: boolean, sentence: string) => void) {
  const kind = env.TRANSLATOR || undefined;
  if (kind === undefined) return undefined;
  demand(["openai", "libretranslate", "deepl"].includes(kind), "TRANSLATOR must be openai, libretranslate or deepl.");
  const [url, key, model] = [env.TRANSLATOR_URL, env.TRANSLATOR_KEY, env.TRANSLATOR_MODEL].map((it) => it || undefined);
  demand(
    url === undefined ? kind !== "libretranslate" : /^https?:/.test(url) && URL.canParse(url),
    "TRANSLATOR_URL must be a URL, such as https://translate.example.com.",
  );
  demand(kind !== "openai" || model !== undefined, "TRANSLATOR_MODEL must name the model when TRANSLATOR is openai.");
  demand(kind !== "deepl" || key !== undefined, "TRANSLATOR_KEY must be set when TRANSLATOR is deepl.");
  return { kind, url, key, model };
}

/** What translates. Its host is trusted, wherever it is: whoever runs this server has named it. */
async function translatorOf(wanted: Settings["translator"]): Promise<{ translator?: Translator }> {
  if (!wanted) return {};
  const { kind, url, key, model } = wanted;
  const { deepLTranslator, libreTranslator, openAiTranslator } = await import("octavo/translators");
  const fetch = guardedFetch({ allow: url === undefined ? [] : [new URL(url).host], timeoutMs: 120_000 });
  const options = { fetch, ...(url === undefined ? {} : { url }), ...(key === undefined ? {} : { key }) };
  if (kind === "openai") return { translator: openAiTranslator({ ...options, model: model! }) };
  if (kind === "deepl") return { translator: deepLTranslator({ ...options, key: key! }) };
  return { translator: libreTranslator({ ...options, url: url! }) };
}

/** What the AWS variables do not say: another server than Amazon's, and how its buckets are addressed. */
function s3Config(env: NodeJS.ProcessEnv) {
  return {
    ...(env.AWS_REGION || env.AWS_DEFAULT_REGION ? {} : { region: "us-east-1" }),
    ...(env.S3_ENDPOINT ? { endpoint: env.S3_ENDPOINT } : {}),
    ...(env.S3_FORCE_PATH_STYLE === "true" ? { forcePathStyle: true } : {}),
  };
}

/** What only some need, and takes long to load, is loaded when it is asked for. */
async function openStorage({ dataDir, s3 }: Settings): Promise<Storage> {
  if (s3) return (await import("octavo/s3")).s3Storage(s3);
  return dataDir === undefined ? memoryStorage() : levelStorage(dataDir);
}

function isOrigin(text: string): boolean {
  if (!/^https?:/.test(text) || !URL.canParse(text)) return false;
  const { origin, href } = new URL(text);
  return href === `${origin}/`;
}

function outbound(allow: string[]): typeof fetch {
  try {
    return guardedFetch({ allow });
  } catch (cause) {
    throw new Error("EGRESS_ALLOW must be hosts, such as git.internal or localhost:9000, with commas between.", {
      cause,
    });
  }
}

function fontFiles(paths: string[]): string[] {
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) throw new Error(`PDF_FONTS names ${missing}, which is not there.`);
  return paths;
}

/** Prints in these fonts, each asked for the characters that those before it lack; in none, with the letters of Western Europe. */
async function printerIn(paths: string[]): Promise<{ pdf?: Printer }> {
  const [sans, ...fallbacks] = paths.map((path) => () => readFile(path));
  return sans ? { pdf: (await import("octavo/pdf")).pdfPrinter({ fonts: { sans, fallbacks } }) } : {};
}

/** The first start is over when an organization exists: it has a partition of its own beside the directory of users. */
async function lacksOrganization(storage: Storage): Promise<boolean> {
  let partitions = 0;
  for await (const _ of storage.partitions()) if (++partitions === 2) return false;
  return true;
}

/** The secret beside the data. It is never made anew for data that another one may have encrypted. */
function keptSecret(path: string, isFirst: boolean): string {
  if (existsSync(path)) {
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
    return readFileSync(path, "utf8").trim();
  }
  if (!isFirst) throw new Error(`${path} is missing: put it back, or set SECRET to what it was for this data.`);
  writeFileSync(`${path}.new`, randomBytes(32).toString("hex"), { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  return readFileSync(path, "utf8");
}

async function listen(server: Server, { port, host }: Settings): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    const isTaken = error.code === "EADDRINUSE";
    const why = isTaken ? "it is in use: choose another one with PORT" : error.message;
    throw new Error(`The server cannot listen on port ${port} of ${host}: ${why}.`);
  });
}

/**
 * Makes the first organization and its admin. The organization is written last and the token shown first: whenever this is
 * interrupted, either the next start does it again or the operator holds the token.
 */
async function provision(api: DocsApi, { address, adminToken }: Settings): Promise<void> {
  const value = adminToken ?? `octavo_${randomBytes(20).toString("hex")}`;
  if (!adminToken) console.log(`The admin's token, shown only this once: ${value}`);
  const { organization } = await api.provision({
    user: { displayName: "Admin", email: "admin@localhost.localdomain" },
    organization: { title: "My organization" },
    token: { label: "First start", value },
  });
  const shown = adminToken ? "$ADMIN_TOKEN" : value;
  console.log(`The organization's id: ${organization}`);
  console.log(`Octavo answers at ${address}/v1. Try:`);
  console.log(`curl -H "Authorization: Bearer ${shown}" ${address}/v1/orgs/${organization}`);
}

/** Does the work that waits, one run after the other: when the last run asked for it, or sooner if something comes up. */
function createMaintenance() {
  let timer: NodeJS.Timeout | undefined;
  let next = Number.POSITIVE_INFINITY;
  let run: (() => Promise<void>) | undefined;
  /** Whether a run is under way, which says itself when the next one is due. */
  let isRunning = false;
  const wantedAt = (when: Date) => {
    next = Math.min(next, when.getTime());
    clearTimeout(timer);
    const wait = Math.min(Math.max(next - Date.now(), 1_000), HOUR_MS);
    if (run && !isRunning) timer = setTimeout(run, wait).unref();
  };
  return {
    wantedAt,
    begin(api: DocsApi) {
      run = async () => {
        isRunning = true;
        next = Number.POSITIVE_INFINITY;
        const wanted = await api.maintain().catch((error) => {
          if (run) console.error(error);
        });
        isRunning = false;
        wantedAt(wanted?.next ?? new Date(Date.now() + HOUR_MS));
      };
      void run();
    },
    end() {
      run = undefined;
      clearTimeout(timer);
    },
  };
}

/** Takes no new connections, answers what is under way, and closes the store. */
async function stop(server: Server, { drainMs }: Settings, stopMaintaining: () => void, api: DocsApi): Promise<void> {
  stopMaintaining();
  const closed = new Promise((resolve) => server.close(resolve));
  console.log("Stopping: requests under way are answered first.");
  // Connections that were busy when the server closed are kept alive after their answer.
  setInterval(() => server.closeIdleConnections(), 50).unref();
  setTimeout(() => server.closeAllConnections(), drainMs).unref();
  await closed;
  await api.close();
  process.exit(0);
}

// A PostgreSQL server on 127.0.0.1 for the tests of one process: made when it is first asked for, in a temporary folder, and
// gone with the process. OCTAVO_POSTGRES_URL names another server, whose role must be a superuser.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { chmod, chown, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env, getuid } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "../../support/listening";
import { PATIENCE_MS } from "../../support/patience";
import { runFolder } from "../../support/run-folder";
import { type Programs, postgresPrograms } from "./debian";

const run = promisify(execFile);

/** PostgreSQL refuses to run as root; then it runs as nobody. */
const NOBODY = 65534;
export const asNobody =
  getuid?.() === 0 ? ["--reuid", String(NOBODY), "--regid", String(NOBODY), "--clear-groups"] : [];

export interface Server {
  readonly url: string;
  /** Ends the server at once, as a crash does, and starts it again on the same data. Only for a server of one's own. */
  readonly crash: () => Promise<void>;
  /** The same in order: connections are ended, and the server writes a checkpoint. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** A server that was started here. */
export interface OwnServer extends Server {
  readonly port: number;
  /** Ends the server at once, and leaves its data. */
  readonly end: () => Promise<void>;
  /** Another server that follows this one, and can be promoted. */
  readonly standby: () => Promise<OwnServer>;
}

let starting: Promise<Server | { readonly leftOut: string }> | undefined;

/** The server of this process, or the reason why there is none. */
export function postgresServer(): Promise<Server | { readonly leftOut: string }> {
  starting ??= env.OCTAVO_POSTGRES_URL
    ? Promise.resolve({
        url: env.OCTAVO_POSTGRES_URL,
        crash: async () => {},
        restart: async () => {},
        stop: async () => {},
      })
    : startServer();
  return starting;
}

/** A server of one's own. Without `isDurable` it syncs nothing, which only a crash of the machine would notice. */
export async function startServer({
  isDurable = false,
  settings = [] as readonly string[],
} = {}): Promise<OwnServer | { readonly leftOut: string }> {
  const programs = await postgresPrograms();
  if ("leftOut" in programs) return programs;
  const initdb = ["--no-sync", "--auth=trust", "--username=octavo", "--encoding=UTF8", "--locale=C"];
  return serverOn(programs, { isDurable, settings }, "initdb", initdb);
}

/** Starts a server on data that a program of PostgreSQL makes. */
async function serverOn(
  programs: Programs,
  { isDurable, settings }: Pick<Place, "isDurable" | "settings">,
  maker: "initdb" | "pg_basebackup",
  args: readonly string[],
): Promise<OwnServer> {
  const folder = await newFolder();
  const data = join(folder, "data");
  const environment = { ...env, ...programs.environment, LC_ALL: "C" };
  const make = [...asNobody, join(programs.bin, maker), ...args, "-D", data];
  await run("setpriv", make, { env: environment, cwd: folder });
  const port = await freePort();
  const url = `postgres://octavo@127.0.0.1:${port}/postgres`;
  const place: Place = { folder, data, port, isDurable, settings, url };
  let child = await launch(programs, place);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  };
  const again = async (signal: NodeJS.Signals) => {
    await end(signal);
    child = await launch(programs, place);
  };
  return {
    url,
    port,
    crash: () => again("SIGQUIT"),
    restart: () => again("SIGINT"),
    end: () => end("SIGQUIT"),
    standby() {
      const source = ["-h", "127.0.0.1", "-p", String(port), "-U", "octavo"];
      const how = ["--no-sync", "--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf"];
      return serverOn(programs, { isDurable, settings }, "pg_basebackup", [...source, ...how]);
    },
    async stop() {
      await end("SIGQUIT");
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** In the folder of the run, where there is one, which is removed when the run ends. */
export async function newFolder(): Promise<string> {
  const above: string = runFolder() ?? tmpdir();
  const folder = await mkdtemp(join(above, "octavo-postgres-"));
  if (asNobody.length === 0) return folder;
  await chown(folder, NOBODY, NOBODY);
  if (runFolder() !== undefined) await chmod(above, 0o711);
  return folder;
}

interface Place {
  readonly folder: string;
  readonly data: string;
  readonly port: number;
  readonly isDurable: boolean;
  readonly settings: readonly string[];
  readonly url: string;
}

async function launch({ bin, environment }: Programs, place: Place): Promise<ChildProcess> {
  const sync = place.isDurable ? [] : ["fsync=off", "full_page_writes=off"];
  const settings = [
    ...["listen_addresses=127.0.0.1", `port=${place.port}`, `unix_socket_directories=${place.folder}`],
    ...["max_connections=200", "shared_buffers=64MB", "jit=off", "max_prepared_transactions=0", ...sync],
    ...place.settings,
  ].flatMap((setting) => ["-c", setting]);
  const path = join(place.folder, "log");
  const log = openSync(path, "a");
  // The kernel ends it when this process is gone, however that happens.
  const command = [...asNobody, "--pdeathsig", "QUIT", join(bin, "postgres"), "-D", place.data, ...settings];
  const child = spawn("setpriv", command, {
    stdio: ["ignore", log, log],
    env: { ...env, ...environment, LC_ALL: "C" },
  });
  for (const until = Date.now() + PATIENCE_MS; ; await wait(20)) {
    if (child.exitCode !== null || Date.now() > until)
      throw new Error(`PostgreSQL did not start: ${await readFile(path, "utf8")}`);
    if (await answers(place.url)) return child;
  }
}

/** Whether a server of PostgreSQL is there. */
export async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

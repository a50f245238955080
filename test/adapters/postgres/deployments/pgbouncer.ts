// Debian's PgBouncer in front of a server, which shares its connections between transactions.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { env } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { unpackedPackage } from "../debian";
import { asNobody, freePort, newFolder, type OwnServer } from "../server";

export interface Pooler {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** So few connections that everybody has to share. */
const CONNECTIONS = 3;

export async function startPooler(server: OwnServer): Promise<Pooler> {
  const { folder: programs, environment } = await unpackedPackage("pgbouncer");
  const folder = await newFolder();
  const port = await freePort();
  const settings = [
    ...["[databases]", `postgres = host=127.0.0.1 port=${server.port} dbname=postgres user=octavo`],
    ...["[pgbouncer]", "listen_addr = 127.0.0.1", `listen_port = ${port}`, "unix_socket_dir =", "auth_type = any"],
    ...["pool_mode = transaction", `default_pool_size = ${CONNECTIONS}`, "max_client_conn = 200"],
    ...["ignore_startup_parameters = extra_float_digits,options", "server_login_retry = 1"],
  ];
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, `${settings.join("\n")}\n`);
  const command = [...asNobody, "--pdeathsig", "KILL", join(programs, "usr/sbin/pgbouncer"), file];
  const child = spawn("setpriv", command, { stdio: ["ignore", "ignore", "pipe"], env: { ...env, ...environment } });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    log += text;
  });
  const exited = once(child, "exit");
  const url = `postgres://octavo@127.0.0.1:${port}/postgres`;
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${log}`);
    await wait(50);
  }
  return {
    url,
    async stop() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

async function answers(url: string): Promise<boolean> {
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

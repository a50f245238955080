// A whole Ceph on 127.0.0.1: one monitor, one store of objects in memory, and the gateway that speaks S3. It has no
// manager, no authentication between its parts and no second copy of anything: enough for tests, and for nothing else.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { openSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const START_MS = 60_000;

export interface Cluster {
  readonly endpoint: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Ends every process of it, the gateway first. */
  readonly stop: () => Promise<void>;
}

/** Starts a cluster that keeps its files in an empty directory, on ports that are free now. */
export async function startCluster(dir: string): Promise<Cluster> {
  const [monitorPort, gatewayPort] = await freePorts(2);
  const fsid = randomUUID();
  const conf = join(dir, "ceph.conf");
  for (const folder of ["mon", "osd", "rgw", "run", "log"]) await mkdir(join(dir, folder), { recursive: true });
  await writeFile(conf, configuration(dir, fsid, monitorPort!, gatewayPort!));

  const ceph = (command: string, ...args: string[]) => run(command, ["--conf", conf, ...args], { timeout: START_MS });
  const daemons: Daemon[] = [];
  const stop = async () => {
    for (const daemon of daemons.splice(0).reverse()) await daemon.stop();
  };
  try {
    const monmap = join(dir, "monmap");
    await run("monmaptool", ["--create", "--fsid", fsid, "--addv", "a", `[v2:127.0.0.1:${monitorPort}]`, monmap]);
    await ceph("ceph-mon", "--mkfs", "--id", "a", "--monmap", monmap);
    daemons.push(startDaemon(dir, "ceph-mon", ["--id", "a", "--conf", conf]));

    const osd = randomUUID();
    await ceph("ceph", "osd", "new", osd);
    await ceph("ceph-osd", "--mkfs", "--id", "0", "--osd-uuid", osd, "--no-mon-config");
    daemons.push(startDaemon(dir, "ceph-osd", ["--id", "0", "--conf", conf]));

    const gateway = startDaemon(dir, "radosgw", ["--name", "client.rgw.a", "--conf", conf]);
    daemons.push(gateway);
    await listens(gatewayPort!, gateway);
    const credentials = { accessKeyId: "octavo", secretAccessKey: randomUUID() };
    const keys = ["--access-key", credentials.accessKeyId, "--secret-key", credentials.secretAccessKey];
    await ceph("radosgw-admin", "user", "create", "--uid", "octavo", "--display-name", "Octavo", ...keys);
    return { endpoint: `http://127.0.0.1:${gatewayPort}`, credentials, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function configuration(dir: string, fsid: string, monitorPort: number, gatewayPort: number): string {
  return sections({
    global: {
      fsid,
      "mon host": `v2:127.0.0.1:${monitorPort}/0`,
      "public addr": "127.0.0.1",
      "cluster addr": "127.0.0.1",
      "ms bind ipv6": false,
      "auth cluster required": "none",
      "auth service required": "none",
      "auth client required": "none",
      // Encrypting needs the keys that authentication would give out; without this the gateway waits for ever.
      "ms mon client mode": "crc",
      "run dir": `${dir}/run`,
      "admin socket": `${dir}/run/$name.asok`,
      "log file": `${dir}/log/$name.log`,
      "crash dir": `${dir}/log`,
      // A single store of objects holds the only copy.
      "osd pool default size": 1,
      "osd pool default min size": 1,
      "mon allow pool size one": true,
      "osd crush chooseleaf type": 0,
      // The gateway makes a dozen pools at its first start; each is quick when it is small.
      "osd pool default pg num": 4,
      "osd pool default pgp num": 4,
      "osd pool default pg autoscale mode": "off",
      "mon max pg per osd": 1000,
    },
    mon: {
      "mon data": `${dir}/mon`,
      "mon initial members": "a",
      // A full disk elsewhere on the machine is no reason to refuse.
      "mon data avail crit": 1,
      "mon data avail warn": 2,
      // Every change of the map waits this long for others to join it: a second each by default.
      "paxos propose interval": 0.05,
      "paxos min wait": 0.01,
    },
    osd: {
      "osd objectstore": "memstore",
      "osd data": `${dir}/osd`,
      "memstore device bytes": 4 * 1024 ** 3,
    },
    "client.rgw.a": {
      "rgw frontends": `beast endpoint=127.0.0.1:${gatewayPort} tcp_nodelay=1`,
      "rgw data": `${dir}/rgw`,
      "rgw enable gc threads": false,
      "rgw enable lc threads": false,
      "rgw enable quota threads": false,
      "rgw run sync thread": false,
    },
  });
}

function sections(settings: Record<string, Record<string, string | number | boolean>>): string {
  return Object.entries(settings)
    .flatMap(([name, values]) => [
      `[${name}]`,
      ...Object.entries(values).map(([key, value]) => `${key} = ${value}`),
      "",
    ])
    .join("\n");
}

interface Daemon {
  readonly process: ChildProcess;
  readonly said: () => Promise<string>;
  stop(): Promise<void>;
}

/** A process in the foreground, which the kernel kills when this one is gone, however that happens. */
function startDaemon(dir: string, command: string, args: string[]): Daemon {
  const path = join(dir, "log", `${command}.out`);
  const output = openSync(path, "a");
  const child = spawn("setpriv", ["--pdeathsig", "KILL", command, "--foreground", ...args], {
    stdio: ["ignore", output, output],
  });
  return {
    process: child,
    said: () => readFile(path, "utf8"),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const over = once(child, "exit");
      child.kill("SIGTERM");
      const patience = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await over;
      clearTimeout(patience);
    },
  };
}

/** Waits until somebody listens on a port. */
async function listens(port: number, daemon: Daemon): Promise<void> {
  for (const until = Date.now() + START_MS; Date.now() < until; await wait(50)) {
    if (daemon.process.exitCode !== null) throw new Error(`Ceph's gateway did not start: ${await daemon.said()}`);
    if (await answers(port)) return;
  }
  throw new Error(`Ceph's gateway did not start within ${START_MS / 1000} s: ${await daemon.said()}`);
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

/** Ports that nobody listens on. They are all held until the last one is found, so that they differ. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

// Starts a server, finds out how much it serves, and lets half and all of a load loose on it that is more than that.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "tsup";
import { makeWorld, missing, type World, type Written } from "./world";

/** What the load is told. */
export interface Load {
  readonly port: number;
  readonly world: World;
  readonly seed: number;
  readonly connections: number;
  readonly seconds: number;
  /** How long a client thinks between two requests, on average. */
  readonly thinkMs: number;
  /** The share of connections that read slowly, and of those that send slowly, and of those that send too much. */
  readonly troublesome: number;
}

/** What the load was answered. */
export interface Loaded {
  /** How many were served, of each kind too, and refused by status. */
  readonly counts: Readonly<Record<string, number>>;
  /** What should not be: how often. */
  readonly wrong: Readonly<Record<string, number>>;
  readonly written: readonly Written[];
  /** Milliseconds of those who were served and are not slow themselves. */
  readonly p50: number;
  readonly p99: number;
}

export interface Stage extends Loaded {
  readonly name: string;
  readonly connections: number;
  readonly seconds: number;
  /** The most memory of the server, in bytes. */
  readonly memory: number;
  readonly lost: readonly Written[];
}

export interface Overload {
  readonly connections: number;
  readonly seconds: number;
  readonly seed: number;
  /** How long clients think. Default: so long that all of them ask for more than the server was seen to serve. */
  readonly thinkMs?: number;
}

/** The full load asks for so many times what the server serves. Half of it is less than that. */
const TOO_MUCH = 1.5;
const FEW = 32;
const TROUBLESOME = 0.01;

export async function overload(
  { connections, seconds, seed, ...given }: Overload,
  tell: (sentence: string) => void = () => {},
) {
  const folder = await mkdtemp(join(tmpdir(), "octavo-overload-"));
  // Below node_modules, so that its own imports are found.
  const outDir = join("node_modules", ".cache", `octavo-overload-${process.pid}`);
  const children: ChildProcess[] = [];
  const start = (file: string, ...args: string[]) => {
    const child = fork(join(outDir, file), args, { execArgv: [], stdio: "inherit" });
    children.push(child);
    return child;
  };
  try {
    const entry = { server: "test/stress/overload/server-process.ts", load: "test/stress/overload/load-process.ts" };
    await build({ entry, outDir, format: "esm", external: ["level"], config: false, silent: true });
    const world = await makeWorld(join(folder, "data"));
    const server = start("server.js", join(folder, "data"));
    const { port } = await told<{ port: number }>(server);
    const run = async (load: Pick<Load, "connections" | "seconds" | "thinkMs" | "troublesome">) => {
      const child = start("load.js");
      child.send({ port, world, seed, ...load } satisfies Load);
      const loaded = await told<Loaded>(child);
      server.send("memory");
      const { memory } = await told<{ memory: number }>(server);
      return { ...loaded, memory };
    };
    const few = { connections: FEW, thinkMs: 0, troublesome: 0, seconds: seconds / 4 };
    await run(few);
    const alone = await run(few);
    const capacity = (alone.counts.served ?? 0) / (seconds / 4);
    const thinkMs = given.thinkMs ?? (connections / (TOO_MUCH * capacity)) * 1000;
    tell(
      `${Math.round(capacity)} requests a second are served to ${FEW} clients; each thinks ${Math.round(thinkMs)} ms`,
    );
    const stages: Omit<Stage, "lost">[] = [{ name: "calm", connections: FEW, seconds: seconds / 4, ...alone }];
    for (const [name, count] of [["half", Math.floor(connections / 2)] as const, ["full", connections] as const]) {
      tell(`the ${name} load: ${count} connections for ${seconds} s`);
      const loaded = await run({ connections: count, seconds, thinkMs, troublesome: TROUBLESOME });
      stages.push({ name, connections: count, seconds, ...loaded });
    }
    const ended = once(server, "exit");
    server.disconnect();
    await ended;
    const all = stages.flatMap((it) => it.written);
    const lost = new Set(await missing(join(folder, "data"), world, all));
    const [calm, half, full] = stages.map((stage) => ({ ...stage, lost: stage.written.filter((it) => lost.has(it)) }));
    return { capacity, thinkMs, calm: calm!, half: half!, full: full! };
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await rm(outDir, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  }
}

/** The next message of a process. */
async function told<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null, signal: string | null) =>
      reject(new Error(`A process ended with ${code ?? signal}.`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      resolve(message as T);
    });
  });
}

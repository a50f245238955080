// The server on a disk that is full or cannot be written to: what it cannot write it refuses, it answers reads meanwhile, and
// it goes on by itself when there is room. Whatever it has acknowledged is there.

import { type ChildProcess, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { afterwards } from "../node/servers";
import { freePort } from "../support/listening";
import { until } from "../support/patience";
import { octavo, program, runCommand, start } from "./processes";
import { ran } from "./run";
import { temporaryDirectory } from "./temporary";

const ADMIN_TOKEN = "an-operators-own-token";
const MIB = 1024 * 1024;

type Server = Awaited<ReturnType<typeof start>>;

function succeeds(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

/** Whether the size of files can be limited here. */
const hasLimits = succeeds("prlimit", "--pid", String(process.pid));

/** Sets how large a file of a process may become: with 0 it can write to none. */
function limitFiles({ pid }: ChildProcess, bytes: number | "unlimited"): void {
  if (!succeeds("prlimit", "--pid", String(pid), `--fsize=${bytes}:`)) throw new Error("prlimit has failed.");
}

/** A file system in memory of so many bytes; undefined where this process may mount none. */
async function mounted(bytes: number, ...options: string[]): Promise<string | undefined> {
  const directory = await temporaryDirectory();
  const settings = [`size=${bytes}`, ...options].join(",");
  if (!succeeds("mount", "-t", "tmpfs", "-o", settings, "octavo", directory)) return undefined;
  afterwards(() => succeeds("umount", "--lazy", directory));
  return directory;
}

/** Fills disks: in each way the server must not be able to write after `fill`, and be able to after `makeRoom`. */
const disks: Record<string, () => Promise<Disk | { readonly leftOut: string }>> = {
  "that cannot be written to any more": async () =>
    hasLimits
      ? {
          directory: await temporaryDirectory(),
          fill: (server) => limitFiles(server.child, 0),
          makeRoom: (server) => limitFiles(server.child, "unlimited"),
        }
      : { leftOut: "there is no prlimit here" },
  "that is full": async () => {
    const directory = await mounted(12 * MIB);
    if (!directory) return { leftOut: "no file system can be mounted here" };
    const others = join(directory, "others");
    await writeFile(others, new Uint8Array(9 * MIB));
    return { directory, fill: () => {}, makeRoom: () => rm(others) };
  },
};

interface Disk {
  readonly directory: string;
  readonly fill: (server: Server) => unknown;
  readonly makeRoom: (server: Server) => unknown;
}

/** A space, what was written to it and acknowledged, and what is there. */
async function spaceOn(server: Server) {
  const organization = server.output.stdout.match(/Organization ID: (\S+)$/m)![1];
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await server.ask(path, ADMIN_TOKEN, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
    return { response, body: (await response.json()) as any };
  };
  const space = (await send("POST", `/orgs/${organization}/spaces`, { title: "Disk" })).body.id as string;
  const pages = new Map<string, string>();
  const files = new Map<string, string>();
  let count = 0;
  return {
    /** Writes a page, or a file that is a blob; gives whether it was acknowledged. */
    async write(): Promise<boolean> {
      const isPage = count++ % 2 === 0;
      const name = `Number ${count}`;
      const bytes = randomBytes(isPage ? 2000 : 400_000).toString("base64");
      const change = isPage
        ? { operation: "insert_page", title: name, document: { markdown: bytes } }
        : { operation: "insert_files", files: [{ name, contentType: "application/zip", base64: bytes }] };
      const { response, body } = await send("POST", `/spaces/${space}/content`, { changes: [change] });
      if (response.status === 200) {
        if (isPage) pages.set(body.changes[0].page.id, bytes);
        else files.set(name, bytes);
        return true;
      }
      expect(body.error).toMatchObject({ code: 503, reason: expect.stringMatching(/^(unavailable|outcome_unknown)$/) });
      expect(response.headers.get("retry-after")).toBe("1");
      return false;
    },
    async expectEverything(): Promise<void> {
      expect(Math.min(pages.size, files.size)).toBeGreaterThan(1);
      for (const [id, bytes] of pages)
        expect((await send("GET", `/spaces/${space}/content/page/${id}?format=markdown`)).body.markdown).toBe(bytes);
      const { items } = (await send("GET", `/spaces/${space}/content/files`)).body;
      for (const [name, bytes] of files) {
        const { downloadURL } = items.find((file: { name: string }) => file.name === name);
        const body = Buffer.from(await (await fetch(downloadURL)).arrayBuffer());
        expect(body.toString("base64") === bytes).toBe(true);
      }
    },
  };
}

describe("a failing disk", () => {
  test.each(Object.keys(disks))(
    "a disk %s rejects writes, can still be read, and accepts writes again when it recovers",
    async (name) => {
      const disk = await disks[name]!();
      if ("leftOut" in disk) return void console.log(`A disk ${name} was left out: ${disk.leftOut}.`);
      const DATA_DIR = join(disk.directory, "data");
      const server = await start({ DATA_DIR, ADMIN_TOKEN });
      const { write, expectEverything } = await spaceOn(server);
      for (let i = 0; i < 4; i++) expect(await write()).toBe(true);

      await disk.fill(server);
      while (await write());
      for (let i = 0; i < 3; i++) {
        await expectEverything();
        expect(await write()).toBe(false);
      }
      await disk.makeRoom(server);
      await until(async () => expect(await write()).toBe(true));
      expect(await write()).toBe(true);
      await expectEverything();
      expect(await readdir(DATA_DIR)).not.toContain("room");

      server.child.kill("SIGTERM");
      expect(await server.exited).toBe(0);
      expect(server.output.stderr).toContain(`The LevelDB directory ${DATA_DIR} can be read but not written to: E`);
      expect((await ran(["verify"], { DATA_DIR })).stdout).toContain("No problems found.");
    },
  );

  test("serve refuses to start on a read-only disk with one sentence", async () => {
    const isRoot = process.getuid?.() === 0;
    const parent = isRoot ? await mounted(MIB) : await temporaryDirectory();
    if (!parent) return void console.log("A read-only disk was left out: no file system can be mounted here.");
    const DATA_DIR = join(parent, "data");
    await mkdir(DATA_DIR);
    if (isRoot) expect(succeeds("mount", "-o", "remount,ro", parent)).toBe(true);
    else {
      await chmod(DATA_DIR, 0o500);
      await chmod(parent, 0o500);
      afterwards(() => chmod(parent, 0o700));
    }
    const server = octavo(["serve"], { DATA_DIR, PORT: String(await freePort()) });
    expect(await server.exited).toBe(1);
    expect(server.output.stderr).toMatch(/^The LevelDB directory \S+ could not be opened: .*\.\n$/);
  });
});

describe("a log that cannot be written", () => {
  /** Starts the server with what it prints in a file. */
  const logging = async (file: string, DATA_DIR: string) => {
    const port = await freePort();
    const line = `exec "$0" "$1" serve --log-requests > "$2"`;
    const env = { DATA_DIR, ADMIN_TOKEN, PORT: String(port) };
    return { port, ...runCommand("sh", ["-c", line, process.execPath, program, file], env) };
  };

  test("a log that cannot be written does not end the server", async () => {
    if (!hasLimits) return void console.log("A log without room was left out: there is no prlimit here.");
    const directory = await temporaryDirectory();
    const file = join(directory, "log");
    const { port, child, exited } = await logging(file, join(directory, "data"));
    await until(async () => expect(await readFile(file, "utf8")).toMatch(/^curl /m));
    limitFiles(child, 0);
    const { size } = await stat(file);
    for (let i = 0; i < 10; i++) {
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
      expect((await fetch(`http://127.0.0.1:${port}/v1/user`, { headers })).status).toBe(200);
    }
    expect((await stat(file)).size).toBe(size);
    limitFiles(child, "unlimited");
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
    expect(await readFile(file, "utf8")).toMatch(/^Shutting down/m);

    // A process of its own, which has loaded nothing but what checks a storage.
    const verified = octavo(["verify"], { DATA_DIR: join(directory, "data") });
    expect(await verified.exited).toBe(0);
    expect(verified.output.stdout).toContain("No problems found.");
  });

  test.skipIf(!existsSync("/dev/full"))(
    "a log that cannot be written is an error before the server has printed its addresses",
    async () => {
      const { exited, output } = await logging("/dev/full", await temporaryDirectory());
      expect(await exited).toBe(1);
      expect(output.stderr).toBe("Cannot write output: ENOSPC: no space left on device, write\n");
    },
  );
});

// A book that is made on the spot, with as many pages and files as one likes, imported into a storage: what it takes of
// time and memory. The library runs in a process of its own, so that the memory of whoever makes and serves the book is
// not counted.

import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, readFileSync } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { levelStorage } from "../../adapters/level";
import { memoryStorage } from "../../adapters/memory";
import { guardedFetch } from "../../src/node";
import { backend, git } from "../../test/git/backend";
import { openLibrary } from "./library";
import { costOf } from "./time";

export interface Book {
  readonly pages: number;
  readonly files: number;
  /** Bytes of a file. */
  readonly fileBytes: number;
}

/** What is imported, from where and into what. */
export interface Many extends Book {
  readonly from: "zip" | "git";
  readonly storage: "memory" | "level";
  /** MiB that the heap of the library may have; undefined for as many as the runtime gives it. */
  readonly heap: number | undefined;
  /** Whether all of it is pushed into an empty repository afterwards. */
  readonly push: boolean;
}

interface Job extends Many {
  readonly url: string;
  /** An empty repository. */
  readonly pushTo: string;
  readonly folder: string;
}

/** What an import or a push took. */
interface Effort {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly longestHold: number;
  /** Of the process before it, and at most in it, in MiB. */
  readonly memory: readonly [before: number, most: number];
}

/** What came of a job. */
interface Took {
  readonly pages: number;
  readonly files: number;
  readonly imported: Effort;
  readonly pushed?: Effort;
}

/** The word that a process is started with which is to do one job. */
export const WORKER = "--one-import";

const PAGES_IN_FOLDER = 100;
const LOOK_AT_MEMORY_MS = 100;
const MIB = 1024 * 1024;

/** Imports such a book; the lines that tell how it went. */
export async function importMany(many: Many): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "octavo-many-"));
  let server: Server | undefined;
  let child: ChildProcess | undefined;
  try {
    await git(folder, ["init", "-q", "--bare", "-b", "main", "book.git"]);
    await git(folder, ["init", "-q", "--bare", "-b", "main", "empty.git"]);
    await fastImport(join(folder, "book.git"), many);
    const archive = join(folder, "book.zip");
    if (many.from === "zip") await git(join(folder, "book.git"), ["archive", "-1", "-o", archive, "main"]);
    server = createServer((request, response) => {
      if (request.url === "/book.zip") createReadStream(archive).pipe(response);
      else backend(folder, request, response);
    });
    await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const job: Job = { ...many, folder, url: `${origin}/book.${many.from}`, pushTo: `${origin}/empty.git` };
    const limit = many.heap === undefined ? [] : [`--max-old-space-size=${many.heap}`];
    child = fork(process.argv[1]!, [WORKER, JSON.stringify(job)], { execArgv: [...process.execArgv, ...limit] });
    const [took] = (await Promise.race([once(child, "message"), failing(child)])) as [Took];
    const size = many.from === "zip" ? (await stat(archive)).size : await bytesIn(join(folder, "book.git"));
    const pushed = took.pushed && (await bytesIn(join(folder, "empty.git")));
    return linesOf(many, took, size, pushed);
  } finally {
    child?.kill();
    server?.closeAllConnections();
    server?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function failing(child: ChildProcess): Promise<never> {
  const [code] = await once(child, "exit");
  throw new Error(`The import ended with ${code}.`);
}

function linesOf({ from, storage, heap }: Many, took: Took, size: number, pushed: number | undefined): string {
  const what = `${took.pages.toLocaleString("en")} pages and ${took.files.toLocaleString("en")} files`;
  const within = heap === undefined ? "" : `, heap of ${heap} MiB`;
  return [
    `${what} from ${from} (${(size / MIB).toFixed(0)} MiB) into ${storage}${within}: ${effort(took.imported)}`,
    ...(took.pushed ? [`pushed (${(pushed! / MIB).toFixed(0)} MiB): ${effort(took.pushed)}`] : []),
  ].join("\n");
}

function effort({ seconds, processorSeconds, longestHold, memory: [before, most] }: Effort): string {
  return [
    `${seconds.toFixed(0)} s, ${processorSeconds.toFixed(0)} s of the processor,`,
    `longest hold ${longestHold.toFixed(0)} ms, memory ${before.toFixed(0)} → ${most.toFixed(0)} MiB`,
  ].join(" ");
}

/** The bytes of all files in a folder. */
async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const path of await readdir(folder, { recursive: true })) bytes += (await stat(join(folder, path))).size;
  return bytes;
}

/** Writes the book as a commit into a bare repository. */
export async function fastImport(folder: string, many: Book): Promise<void> {
  const program = spawn("git", ["fast-import", "--quiet", "--done"], {
    cwd: folder,
    stdio: ["pipe", "inherit", "inherit"],
  });
  const { stdin } = program;
  const write = async (part: string | Uint8Array) => {
    if (!stdin.write(part)) await once(stdin, "drain");
  };
  await write("commit refs/heads/main\ncommitter Ada <ada@example.org> 1700000000 +0000\ndata 4\nBook\n");
  for (const [path, content] of filesOf(many)) {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    await write(`M 100644 inline ${path}\ndata ${bytes.length}\n`);
    await write(bytes);
    await write("\n");
  }
  await write("done\n");
  stdin.end();
  const [code] = await once(program, "exit");
  if (code !== 0) throw new Error(`git fast-import ended with ${code}.`);
}

/** Pages of some 3 KB, each with links to others and its share of the files; one file in a thousand is large. */
function* filesOf({ pages, files, fileBytes }: Book): Generator<[path: string, content: string | Uint8Array]> {
  yield ["README.md", "# The book\n\nIt begins here.\n"];
  const folderOf = (page: number) => `part-${Math.floor(page / PAGES_IN_FOLDER)}`;
  for (let page = 1; page < pages; page++) {
    const own: string[] = [];
    for (let file = page - 1; file < files; file += pages - 1) own.push(`file-${file}.bin`);
    for (const name of own) yield [`${folderOf(page)}/${name}`, bytesOf(name, fileBytes)];
    const other = (page * 7919) % pages || 1;
    const links = `See [another](../${folderOf(other)}/page-${other}.md) and [the start](../README.md).`;
    const parts = Array.from(
      { length: 12 },
      (_, at) => `## Part ${at} of page ${page}\n\n${`Words of page ${page} that say a little. `.repeat(5)}\n`,
    );
    const text = [`# Page ${page}`, "", links, "", ...own.map((name) => `![${name}](${name})\n`), ...parts].join("\n");
    yield [`${folderOf(page)}/page-${page}.md`, text];
  }
}

function bytesOf(name: string, length: number): Uint8Array {
  const seed = Number(/\d+/.exec(name)![0]);
  const bytes = new Uint8Array(seed % 1000 === 0 ? Math.max(length, 100_000) : length);
  let value = seed + 1;
  for (let at = 0; at < bytes.length; at++) {
    value = (Math.imul(value, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = value >>> 16;
  }
  return bytes;
}

/** Does one job, and tells the process that started this one. */
export async function doJob(given: string): Promise<void> {
  const job = JSON.parse(given) as Job;
  const { host } = new URL(job.url);
  const most = 16 * 1024 * MIB;
  const storage = job.storage === "level" ? levelStorage(join(job.folder, "data")) : memoryStorage();
  const library = await openLibrary(
    {
      fetch: guardedFetch({ allow: [host], maxBytes: most, timeoutMs: 6 * 3600_000 }),
      git: {
        http: [host],
        limits: { maxBytes: most, maxObjects: 10_000_000, maxUnpackedBytes: most, maxFiles: 10_000_000 },
        maxSeconds: 6 * 3600,
      },
    },
    { maxPages: job.pages, storage },
  );
  const imported = await effortOf(() => run(library, job));
  const found = { pages: (await library.pages()).length, files: await countOfFiles(library) };
  const took: Took = { ...found, imported, ...(job.push ? { pushed: await effortOf(() => push(library, job)) } : {}) };
  await library.close();
  await new Promise((sent) => process.send!(took, sent));
  process.exit(0);
}

async function effortOf(work: () => Promise<void>): Promise<Effort> {
  const start = performance.now();
  const before = ownMemory();
  let most = before;
  const look = () => {
    most = Math.max(most, ownMemory());
  };
  const timer = setInterval(look, LOOK_AT_MEMORY_MS);
  const { processorSeconds, longestHold } = await costOf(work);
  clearInterval(timer);
  look();
  const seconds = (performance.now() - start) / 1000;
  return { seconds, processorSeconds, longestHold, memory: [before / MIB, most / MIB] };
}

/** Bytes of memory that only this process has. Linux tells them; elsewhere the files that a database maps count as well, which
 * the system takes back when it needs to. */
function ownMemory(): number {
  try {
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "latin1"))![1]) * 1024;
  } catch {
    return process.memoryUsage().rss;
  }
}

type Library = Awaited<ReturnType<typeof openLibrary>>;

async function run(library: Library, { from, url }: Job): Promise<void> {
  if (from === "zip") {
    await library.ask("POST", "/content/import", { source: "zip", url });
    return;
  }
  await library.ask("POST", "/git/import", { url, ref: "refs/heads/main" });
  await hasCompleted(library);
}

async function push(library: Library, { pushTo: url }: Job): Promise<void> {
  await library.ask("POST", "/git/export", { url, ref: "refs/heads/main", commitMessage: "All of it" });
  await hasCompleted(library);
}

async function hasCompleted(library: Library): Promise<void> {
  const { lastRun } = (await library.ask("GET", "/git/info")) as { lastRun: { status: string; error?: unknown } };
  if (lastRun.status !== "completed") throw new Error(`It ended as ${lastRun.status}: ${JSON.stringify(lastRun)}`);
}

async function countOfFiles(library: Library): Promise<number> {
  const { count } = (await library.ask("GET", "/content/files?limit=1")) as { count: number };
  return count;
}

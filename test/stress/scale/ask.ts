// Asks two organizations of different size on one storage, and prints what each request took. Then it goes on with the larger
// one for so many minutes, and prints the memory.
// tsx test/stress/scale/ask.ts <storage> <folder of the small one> <folder of the big one> <minutes> [names of operations]

import { existsSync, readFileSync } from "node:fs";
import type { Cast } from "../../invariants/examples";
import { mute, parrot } from "../../invariants/examples";
import { web } from "../../resources/content/imports-web";
import { open } from "../../support/setting";
import { readKept } from "./kept";
import { type Call, type Measured, measure } from "./measure";
import { type Post, type Request, requests } from "./requests";
import { sizeText } from "./size";
import { storages } from "./storages";

/** The largest ratios: of one thing, and of the first page of a list. */
const MOST_OF_ONE = 2;
const MOST_OF_LIST = 1.5;
/** Below this many milliseconds of difference a ratio says nothing. */
const NOTHING_MS = 0.3;
/** How often the memory is told. */
const TELL_MINUTES = 5;

const [kind, smallFolder, bigFolder, minutes, ...names] = process.argv.slice(2) as [
  ...[kind: string, small: string, big: string, minutes: string],
  ...string[],
];

async function enter(folder: string) {
  const { things, now, size } = await readKept(folder);
  const { storage, cleanUp } = await storages[kind]!(folder);
  const { api, clock, askWith } = open(storage, { fetch: web, translator: mute, ask: parrot });
  clock.now = new Date(now);
  clock.forward(1000);
  const ask: Cast["ask"] = (as, route, send, headers) => askWith(as && things.tokens[as], route, send, headers);
  const cast: Cast = { ...things, api, storage, clock, askWith, ask };
  const close = async () => {
    await api.close();
    await cleanUp();
  };
  return { cast, size, close };
}

/** What Linux tells of a process. */
const STATUS = "/proc/self/status";

let asked = 0;

/** A call that no kept answer serves. `take` is given the bytes of its answer. */
function callOf(request: Request, cast: Cast, limit: number | undefined, take?: (chunk: Uint8Array) => void): Call {
  const { as, route, send, before } = request;
  let prepared: string | undefined;
  const post: Post = async (path, sent) => {
    const { status, body } = await cast.ask("admin", `POST ${path}`, sent);
    if (status >= 400) throw new Error(`POST ${path} was answered ${status}.`);
    return body;
  };
  const run = async () => {
    const n = ++asked;
    const [method, path] = (prepared ?? route(cast)).split(" ") as [string, string];
    const part = limit === undefined ? "" : `${path.includes("?") ? "&" : "?"}limit=${limit}`;
    // What stands behind # is no part of the address, but of the name under which an answer is kept.
    const sent = `${method} ${path}${part}${method === "GET" ? `#${n}` : ""}`;
    return received(cast, as, sent, send?.(cast, n), take);
  };
  if (!before) return { run };
  return {
    run,
    async before() {
      prepared = await before(cast, ++asked, post);
    },
  };
}

class Refused extends Error {}

/** An answer as the other end receives it: its bytes, one piece after the other. What a client makes of them is not counted,
 * and nobody keeps them here. */
async function received(
  cast: Cast,
  as: Request["as"],
  route: string,
  send: unknown,
  take: (chunk: Uint8Array) => void = () => {},
): Promise<void> {
  const [method, path] = route.split(" ") as [string, string];
  const headers = { authorization: `Bearer ${cast.tokens[as]}`, "content-type": "application/json" };
  const body = send === undefined ? null : typeof send === "string" ? send : JSON.stringify(send);
  const response = await cast.api.fetch(new Request(`http://test.invalid${path}`, { method, headers, body }));
  if (response.status >= 400) throw new Refused(`${response.status} ${(await response.json()).error?.reason}`);
  for await (const chunk of response.body ?? []) take(chunk);
}

const big = await enter(bigFolder);
console.log(`\n${kind}, big: ${sizeText(big.size)}`);
const atStart = memoryNow();
interface Row extends Measured {
  readonly request: Request;
  /** How many rows each of the two gave, where that counts. */
  readonly rows?: { readonly small: number; readonly big: number };
}

const rows: Row[] = [];
const left: string[] = [];
const asking = requests(big.cast).filter(
  ({ name }) => names.length === 0 || names.some((begin) => name.startsWith(begin)),
);
await askBoth();

/** Asks both sizes for everything. What the small one held is free then. */
async function askBoth(): Promise<void> {
  const small = await enter(smallFolder);
  console.log(`${kind}, small: ${sizeText(small.size)}\n`);
  for (const request of asking)
    try {
      const limit = request.isList ? await itemsIn(request, small.cast) : undefined;
      const again = () => measure(callOf(request, small.cast, limit), callOf(request, big.cast, limit));
      const measured = await again();
      const counted = async ({ cast }: typeof small) => Math.max(1, await rowsIn(request, cast));
      const inBoth = request.eachRow && { small: await counted(small), big: await counted(big) };
      const row: Row = { request, ...measured, ...(inBoth ? { rows: inBoth } : {}) };
      // Of hundreds of medians some are wrong: what seems too slow is measured once more, and that counts.
      rows.push(holds(row) ? row : { ...row, ...(await again()), first: measured.first });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      left.push(`${request.name} as ${request.as}: ${error.message}`);
    }
  await small.close();
}

/** How many items the small organization has on the first page: the big one is asked for as many. */
async function itemsIn(request: Request, cast: Cast): Promise<number> {
  const chunks: Uint8Array[] = [];
  await callOf(request, cast, undefined, (chunk) => chunks.push(chunk)).run();
  const body = JSON.parse(`${Buffer.concat(chunks)}`) as { readonly items?: readonly unknown[] };
  return Math.max(1, Math.min(50, body.items?.length ?? 1));
}

/** How many rows an answer has. It may be large, so it is counted as it comes. */
async function rowsIn(request: Request, cast: Cast): Promise<number> {
  const eachRow = request.eachRow!;
  let count = 0;
  let end = Buffer.alloc(0);
  await callOf(request, cast, undefined, (chunk) => {
    const text = Buffer.concat([end, chunk]);
    for (let at = text.indexOf(eachRow); at >= 0; at = text.indexOf(eachRow, at + eachRow.length)) count++;
    // What may be the beginning of one that the next piece ends.
    end = text.subarray(Math.max(0, text.length - eachRow.length + 1));
  }).run();
  return count;
}

const header = ["request", "as", "small ms", "big ms", "ratio", "first ms", "held ms", "ms a row", ""];
const lines = rows
  .toSorted((a, b) => ratioOf(b) - ratioOf(a))
  .map((row) => [
    row.request.name,
    row.request.as,
    row.small.toFixed(2),
    row.big.toFixed(2),
    ratioOf(row).toFixed(2),
    row.first.toFixed(1),
    row.held.toFixed(0),
    row.rows ? `${aRow(row.small, row.rows.small)} and ${aRow(row.big, row.rows.big)}` : "",
    holds(row) ? "" : "TOO SLOW",
  ]);

function aRow(ms: number, rows: number): string {
  return `${(ms / rows).toFixed(3)} (${rows})`;
}

function ratioOf({ small, big, rows }: Row): number {
  return (big / Math.max(small, 0.001)) * (rows ? rows.small / rows.big : 1);
}

function holds(row: Row): boolean {
  const { request, small, big } = row;
  if (request.atMostMs !== undefined) return big <= request.atMostMs;
  return ratioOf(row) <= (request.isList ? MOST_OF_LIST : MOST_OF_ONE) || big - small < NOTHING_MS;
}

const table = [header, ...lines];
const widths = header.map((_, column) => Math.max(...table.map((line) => line[column]!.length)));
for (const line of table)
  console.log(
    line
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join("  ")
      .trimEnd(),
  );
console.log(`\n${lines.filter((line) => line.at(-1) !== "").length} of ${lines.length} requests are too slow`);
const begun = process.cpuUsage();
await big.cast.api.maintain();
const { user, system } = process.cpuUsage(begun);
console.log(`maintain(): ${((user + system) / 1e6).toFixed(1)} s of the processor`);
console.log(`memory: ${atStart} before the first request, ${memoryNow()} after the last`);
await goOn(Number(minutes));

/** Asks the larger organization again and again, as long as that, with maintain() once a minute. */
async function goOn(minutes: number): Promise<void> {
  const begun = performance.now();
  const lasted = () => (performance.now() - begun) / 60_000;
  let [calls, told, tended] = [0, 0, 0];
  const refused = new Set<Request>();
  while (lasted() < minutes)
    for (const request of asking) {
      if (lasted() >= minutes) break;
      if (refused.has(request)) continue;
      const { before, run } = callOf(request, big.cast, request.isList ? 50 : undefined);
      try {
        await before?.();
        await run();
        calls++;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        refused.add(request);
      }
      if (lasted() >= tended + 1) {
        big.cast.clock.forward(60_000);
        await big.cast.api.maintain();
        tended = Math.floor(lasted());
      }
      if (lasted() >= told + TELL_MINUTES) {
        told += TELL_MINUTES;
        console.log(`after ${told} minutes, ${calls.toLocaleString("en")} requests: ${memoryNow()}`);
      }
    }
}

/** What the process has of the memory, and how much of it is its own: LevelDB reads its files through pages of the system. */
function memoryNow(): string {
  const all = megabytes(process.memoryUsage().rss);
  const own = existsSync(STATUS) ? /^RssAnon:\s*(\d+) kB/m.exec(readFileSync(STATUS, "utf8"))?.[1] : undefined;
  return own === undefined ? all : `${all} (${megabytes(Number(own) * 1024)} without files)`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}
console.log(`memory at most: ${megabytes(process.resourceUsage().maxRSS * 1024)}`);
if (left.length > 0) console.log(`not asked again and again: ${left.join("; ")}`);
await big.close();
process.exit(0);

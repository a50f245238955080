// Asks two organizations of different size on one storage, and prints what each request took. Then it goes on with the larger
// one for so many minutes, and prints the memory.
// tsx test/stress/scale/ask.ts <storage> <folder of the small one> <folder of the big one> <minutes> [names of operations]

import { existsSync, readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { type Cast, mute, parrot } from "../../invariants/examples";
import { web } from "../../resources/content/imports-web";
import { printTable } from "../../support/printing";
import { open } from "../../support/setting";
import { type Post, type Request, requests } from "./requests";
import { readKept, sizeText } from "./size";
import { storages } from "./storages";

// The processor time of a request at two sizes, in turns, so that other load on the machine meets both. And how long the
// event loop was held meanwhile at the larger size.

/** What a request took at both sizes: milliseconds of the processor for each call, the median of the rounds. */
interface Measured {
  readonly small: number;
  readonly big: number;
  /** The first call at the larger size. */
  readonly first: number;
  /** The longest time that nothing else could run. */
  readonly held: number;
}

/** One call; `before` is not counted. */
interface Call {
  readonly run: () => Promise<unknown>;
  readonly before?: () => Promise<unknown>;
}

const ROUNDS = 7;
/** A round takes so much of the processor at most, and so long, unless a single call does. */
const ROUND_MS = 30;
const ROUND_LASTS_MS = 200;
const MOST_CALLS = 20;
/** From here on three rounds are enough. */
const SLOW_MS = 300;

async function measure(small: Call, big: Call): Promise<Measured> {
  const { took: first, held: firstHeld } = await watched(big, 1);
  await watched(small, 1);
  // The first call may have loaded and built what the others find.
  const [second, secondOfBig] = [await watched(small, 1), await watched(big, 1)];
  const [callsOfSmall, callsOfBig] = [callsFor(second), callsFor(secondOfBig)];
  const [smalls, bigs]: [Round[], Round[]] = [[], []];
  const rounds = secondOfBig.took > SLOW_MS ? 3 : ROUNDS;
  for (let i = 0; i < rounds; i++) {
    smalls.push(await watched(small, callsOfSmall));
    bigs.push(await watched(big, callsOfBig));
  }
  const held = Math.max(firstHeld, ...bigs.map((it) => it.held));
  return { small: median(smalls.map((it) => it.took)), big: median(bigs.map((it) => it.took)), first, held };
}

function callsFor({ took, lasted }: Round): number {
  const calls = Math.min(ROUND_MS / Math.max(0.01, took), ROUND_LASTS_MS / Math.max(0.01, lasted));
  return Math.max(1, Math.min(MOST_CALLS, Math.floor(calls)));
}

/** What a call took of the processor, how long it lasted, and how long it held the event loop, in milliseconds. */
interface Round {
  readonly took: number;
  readonly lasted: number;
  readonly held: number;
}

const delays = monitorEventLoopDelay({ resolution: 1 });

/** Both sizes are watched: the monitor takes a part of the processor, too. */
async function watched({ run, before }: Call, calls: number): Promise<Round> {
  let [took, lasted] = [0, 0];
  delays.reset();
  delays.enable();
  for (let i = 0; i < calls; i++) {
    await before?.();
    const [start, begun] = [process.cpuUsage(), performance.now()];
    await run();
    const { user, system } = process.cpuUsage(start);
    took += user + system;
    lasted += performance.now() - begun;
  }
  // A delay is seen when the timer of the monitor runs.
  await new Promise((resolve) => setTimeout(resolve, 3));
  delays.disable();
  return { took: took / calls / 1000, lasted: lasted / calls, held: delays.count > 0 ? delays.max / 1e6 : 0 };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

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

printTable([header, ...lines]);
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

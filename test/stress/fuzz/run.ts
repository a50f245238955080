// `npm run stress:fuzz -- 200000`: sends this many requests (default: 20,000) on all processors, with the seed in SEED or a new
// one. Every kind of problem is printed once with an example request, and makes the command fail.
// `npm run stress:fuzz -- bytes 100000`: see bytes.ts.

import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { historySeed } from "../../support/test-length";
import { fuzzBytes } from "./bytes";
import { AT_ONCE, createFuzzer, type Finding, type Fuzzed } from "./fuzz";

const WORKER = "--worker";
/** A request that takes more of the processor is told. */
const SLOWEST_MS = 1000;

interface Share {
  readonly requests: number;
  readonly seed: number;
}
type Sent = Omit<Fuzzed, "reached"> & { readonly reached: readonly string[] };

if (process.argv[2] === WORKER) {
  const [share] = (await once(process, "message")) as [Share];
  const fuzzed = await (await createFuzzer()).fuzz({ ...share, slowestMs: SLOWEST_MS });
  process.send!({ ...fuzzed, reached: [...fuzzed.reached.keys()] } satisfies Sent, () => process.exit(0));
} else if (process.argv[2] === "bytes") {
  const options = { keep: { type: "string" } } as const;
  const { values, positionals } = parseArgs({ args: process.argv.slice(3), options, allowPositionals: true });
  const [executions = "100000", ...wanted] = positionals;
  process.exit(await fuzzBytes(Number(executions), wanted, values.keep));
} else process.exit(await fuzzRequests());

async function fuzzRequests(): Promise<number> {
  const requests = Number(process.argv[2] ?? 20_000);
  if (!Number.isSafeInteger(requests) || requests < 1)
    throw new Error(`Expected how many requests, not ${process.argv[2]}.`);
  const seed = historySeed;
  console.log(`${requests} requests from the seed ${seed}`);
  const shares = [...sharesOf({ requests, seed }, availableParallelism())];
  const all = await Promise.all(shares.map(sentBy));
  const reached = new Set(all.flatMap((it) => it.reached));
  const statuses: Record<string, number> = {};
  for (const it of all)
    for (const [status, count] of Object.entries(it.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
  const compared = all.reduce((sum, it) => sum + it.compared, 0);
  console.log(`${reached.size} operations reached; answers by status: ${JSON.stringify(statuses)}`);
  console.log(`${compared} answers of 404 were compared with that for something absent`);
  return tell(all.flatMap((it) => it.findings));
}

/** The same requests that one process would send, for so many. */
function* sharesOf({ requests, seed }: Share, processes: number): Generator<Share> {
  const each = Math.ceil(requests / processes / AT_ONCE) * AT_ONCE;
  for (let from = 0; from < requests; from += each)
    yield { requests: Math.min(each, requests - from), seed: seed + from };
}

async function sentBy(share: Share): Promise<Sent> {
  const child = fork(process.argv[1]!, [WORKER], { execArgv: process.execArgv });
  const end = once(child, "exit").then(([code]) => {
    throw new Error(`A process that sends requests ended with ${code}.`);
  });
  // It ends in the end, too.
  end.catch(() => {});
  child.send(share);
  const [sent] = (await Promise.race([once(child, "message"), end])) as [Sent];
  return sent;
}

function tell(findings: readonly Finding[]): number {
  const kinds = new Map<string, Finding[]>();
  for (const finding of findings) kinds.set(finding.what, [...(kinds.get(finding.what) ?? []), finding]);
  for (const [what, [first, ...others]] of kinds)
    console.log(
      `\n${what} (${others.length + 1})\n  ${JSON.stringify(first!.request).slice(0, 1500)}\n  → ${first!.said}`,
    );
  console.log(kinds.size === 0 ? "Nothing was wrong." : `${kinds.size} things were wrong.`);
  return kinds.size === 0 ? 0 : 1;
}

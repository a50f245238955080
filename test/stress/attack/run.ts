// `npm run stress:attack`: runs every attack in its own process with a small heap, and prints its cost: processor time, the
// longest time in which no other call was served, memory, the peak of the process (RSS), and, where an attack counts them, the
// bytes that were sent and answered. The command fails for an attack that exceeds its budget,
// blocks others for longer than MAX_HELD_MS without a reason, or does not end. Words select the attacks whose topic or
// name contains one of them: `npm run stress:attack -- sandbox`.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Held, held } from "../../support/held";
import { printRow } from "../../support/printing";
import { type Attack, budgets, MAX_HELD_MS, type Traffic } from "./attack";
import { bodies } from "./bodies";
import { conditions } from "./conditions";
import { expansions } from "./expansions";
import { multiplyingInputs } from "./multiplying-inputs";
import { packs } from "./packs";
import { sandbox } from "./sandbox";
import { specifications } from "./specifications";
import { texts } from "./texts";

// Every attack, by topic: one file a topic.

const topics: Readonly<Record<string, readonly Attack[]>> = {
  bodies,
  conditions,
  expansions,
  "multiplying inputs": multiplyingInputs,
  packs,
  sandbox,
  specifications,
  texts,
};

const all: readonly (Attack & { readonly topic: string })[] = Object.entries(topics).flatMap(([topic, attacks]) =>
  attacks.map((attack) => ({ ...attack, topic })),
);

/** An attack that runs longer than this does not end. */
const PATIENCE_MS = 120_000;

interface Cost extends Held {
  readonly megabytes: number;
  /** The largest resident set of the process, with what runs it and the preparation. */
  readonly peakMegabytes: number;
  readonly traffic?: Traffic | undefined;
}

const numbered = all.map((attack, index) => ({ ...attack, index }));
const [flag, ...rest] = process.argv.slice(2);
if (flag === "--one") console.log(JSON.stringify(await costOf(numbered[Number(rest[0])]!)));
else report([flag, ...rest].filter((word) => word !== undefined));

function report(words: readonly string[]): void {
  const chosen = numbered.filter(
    ({ topic, name }) => words.length === 0 || words.some((word) => `${topic} ${name}`.includes(word)),
  );
  let failed = 0;
  const widths = [10];
  printRow(["processor", "held", "memory", "peak", "sent", "answered", "budget", "", "attack"], widths);
  for (const { index, topic, name, budget, inOnePiece } of chosen) {
    const cost = run(index);
    const most = budgets[budget];
    const yields = cost === undefined || inOnePiece !== undefined || cost.heldMs <= MAX_HELD_MS;
    const holds = cost !== undefined && cost.processorMs <= most && yields;
    if (!holds) failed++;
    const measured = cost
      ? [
          ...[`${cost.processorMs} ms`, `${cost.heldMs} ms`, `${cost.megabytes} MB`, `${cost.peakMegabytes} MB`],
          ...[inKilobytes(cost.traffic?.sentBytes), inKilobytes(cost.traffic?.answerBytes)],
        ]
      : ["no end", "", "", "", "", ""];
    const reason = inOnePiece === undefined ? "" : ` (in one piece: ${inOnePiece})`;
    printRow([...measured, `${most} ms`, holds ? "holds" : "FAILS", `${topic}: ${name}${reason}`], widths);
  }
  console.log(`${chosen.length - failed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

function inKilobytes(bytes: number | undefined): string {
  return bytes === undefined ? "" : `${(bytes / 1000).toFixed(1)} KB`;
}

/** Runs one attack in a process of its own; undefined when the process did not live to tell. */
function run(index: number): Cost | undefined {
  const self = fileURLToPath(import.meta.url);
  const options = ["--max-old-space-size=512", "--import", "tsx", self, "--one", String(index)];
  const { stdout, stderr, status } = spawnSync(process.execPath, options, { timeout: PATIENCE_MS, encoding: "utf8" });
  if (status === 0) return JSON.parse(stdout.trim().split("\n").at(-1)!);
  console.error(stderr.trim().split("\n").slice(-5).join("\n"));
  return undefined;
}

async function costOf({ prepare }: Attack): Promise<Cost> {
  const attack = await prepare();
  await attack();
  const memory = process.memoryUsage().rss;
  let result: unknown;
  const { processorMs, heldMs } = await held(async () => {
    result = await attack();
  });
  return {
    processorMs: Math.round(processorMs),
    heldMs: Math.round(heldMs),
    megabytes: Math.max(0, Math.round((process.memoryUsage().rss - memory) / 2 ** 20)),
    peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
    traffic: isTraffic(result) ? result : undefined,
  };
}

function isTraffic(result: unknown): result is Traffic {
  return typeof result === "object" && result !== null && "sentBytes" in result && "answerBytes" in result;
}

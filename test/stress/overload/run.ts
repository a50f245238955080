// npm run stress:overload [-- --connections 5000] [--seconds 30] [--seed 1]
// Lets half of a load and all of it loose on a server of its own, and says whether the server keeps its promises. All of it is
// more than the machine can serve. It ends with 1 if a goal is not reached.

import { parseArgs } from "node:util";
import { describeMachine, printTable } from "../../support/printing";
import { overload, type Stage } from "./overload";

/** How many times the p99 of half the load all of it may have. */
const MOST_TIMES = 3;
/** The most memory of the server. */
const MOST_BYTES = 2 ** 30;

const { values } = parseArgs({
  options: {
    connections: { type: "string", default: "5000" },
    seconds: { type: "string", default: "30" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const [connections, seconds, seed] = [values.connections, values.seconds, values.seed].map(Number);

// Node raises the limit of open files as far as it may.
const { open_files: files } = (process.report.getReport() as { userLimits: Record<string, { hard: number | string }> })
  .userLimits;
const room = files?.hard === "unlimited" ? Number.POSITIVE_INFINITY : Number(files?.hard ?? Number.POSITIVE_INFINITY);
if (room < connections! + 200)
  throw new Error(`A process may open ${room} files here, too few for ${connections} connections: see ulimit -Hn.`);

console.log(`${describeMachine()}, seed ${seed}`);
const { calm, half, full } = await overload({ connections: connections!, seconds: seconds!, seed: seed! }, console.log);
console.log();

const count = (stage: Stage, name: string) => stage.counts[name] ?? 0;
const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0);
const header = ["load", "connections", "served", "503", "429", "wrong", "p50 ms", "p99 ms", "memory", "writes", "lost"];
const stages = [calm, half, full];
const lines = stages.map((stage) => [
  stage.name,
  String(stage.connections),
  String(count(stage, "served")),
  String(count(stage, "503")),
  String(count(stage, "429")),
  String(sum(stage.wrong)),
  stage.p50.toFixed(0),
  stage.p99.toFixed(0),
  megabytes(stage.memory),
  String(stage.written.length),
  String(stage.lost.length),
]);
printTable([header, ...lines]);
for (const stage of stages) {
  const kinds = Object.entries(stage.counts).filter(([name]) => name.startsWith("served: "));
  console.log(`\n${stage.name}, ${kinds.map(([name, times]) => `${name.slice(8)}: ${times}`).join(", ")}`);
  for (const [what, times] of Object.entries(stage.wrong)) console.log(`WRONG ${what}: ${times}`);
}

const times = full.p99 / half.p99;
const goals = {
  "The full load is more than can be served": count(full, "503") > 0,
  "Every refusal says when to come back, and nobody is cut off": stages.every(({ wrong }) => sum(wrong) === 0),
  "Every write that was answered is there": stages.every(({ lost }) => lost.length === 0),
  [`The server has at most ${megabytes(MOST_BYTES)}`]: Math.max(half.memory, full.memory) <= MOST_BYTES,
  [`p99 is at most ${MOST_TIMES} × that of half the load (${times.toFixed(2)})`]: times <= MOST_TIMES,
};
console.log();
if (count(half, "503") * 10 > count(half, "served"))
  console.log("Half of the load was too much as well: other work on the machine? Its p99 says little then.\n");
for (const [goal, isReached] of Object.entries(goals)) console.log(`${isReached ? "holds" : "FAILS"}  ${goal}`);
process.exitCode = Object.values(goals).every(Boolean) ? 0 : 1;

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}

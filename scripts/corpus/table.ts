// What was measured, as a table and a few lines below it.

import type { Measured } from "./measure";

/** Pages that lost a larger share than this are named. */
const MUCH = 0.05;
const NAMED = 10;

/** The text that the command prints. */
export function tableOf(all: readonly Measured[]): string {
  const head = [
    "source",
    "pages",
    "bytes equal",
    "blocks",
    "unknown",
    "links",
    "broken",
    "false alarms",
    "text lost",
    "pages > 5 %",
    "skipped",
    "cpu s",
    "longest hold ms",
  ];
  const rows = [head, head.map(() => "---"), ...all.map(rowOf)];
  const widths = head.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const lines = rows.map(
    (row) =>
      `| ${row.map((cell, i) => (cell === "---" ? "-".repeat(widths[i]!) : i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(" | ")} |`,
  );
  return [...lines, ...all.flatMap(worstOf)].join("\n");
}

function rowOf(it: Measured): string[] {
  return [
    it.name,
    number(it.pages),
    it.bytesEqual === undefined ? "–" : number(it.bytesEqual),
    number(it.blocks),
    number(it.unknown),
    number(it.links),
    number(it.broken),
    number(it.falseAlarms),
    it.losses.length === 0 ? "–" : percent(shareLost(it)),
    it.losses.length === 0 ? "–" : number(it.losses.filter(isMuch).length),
    number(it.skipped.length),
    it.processorSeconds.toFixed(1),
    it.longestHold.toFixed(0),
  ];
}

function shareLost({ losses }: Measured): number {
  const sum = (member: "lost" | "runs") => losses.reduce((total, loss) => total + loss[member], 0);
  return sum("lost") / Math.max(1, sum("runs"));
}

function isMuch({ lost, runs }: Measured["losses"][number]): boolean {
  return runs > 0 && lost / runs > MUCH;
}

function worstOf({ name, losses }: Measured): string[] {
  const worst = losses.filter(isMuch).sort((a, b) => b.lost - a.lost);
  if (worst.length === 0) return [];
  const named = worst
    .slice(0, NAMED)
    .map(({ name, lost, runs, some }) => `  ${name}: ${percent(lost / runs)}, as "${some.join('", "')}"`);
  return ["", `${name}: pages that lost more than ${percent(MUCH)} of their text`, ...named];
}

function number(value: number): string {
  return value.toLocaleString("en");
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 2 : 0)} %`;
}

// Code and formulas, between fences that nothing inside them closes.

import type { BlockOf } from "../../document";
import { oneLine, pair, wide } from "./tags";

/** A formula on lines of its own. */
export function writeMath(formula: string): string {
  const lines = formula.replace(/\r\n?/g, "\n");
  const longest = Math.max(1, ...Array.from(lines.matchAll(/^[ \t]*(\$+)[ \t]*$/gm), ([, dollars]) => dollars!.length));
  const fence = "$".repeat(Math.max(2, longest + 1));
  return `${fence}\n${lines}\n${fence}`;
}

/** Code, with its options in a tag around it. */
export function writeCode({ data = {}, nodes = [] }: BlockOf<"code">): string {
  const lines = nodes as BlockOf<"code-line">[];
  const code = lines.map((codeLine) =>
    codeLine.nodes?.[0]?.object === "text" ? (codeLine.nodes[0].leaves[0]?.text ?? "") : "",
  );
  const runs = code.map((text) => /^\s*(`{3,})/.exec(text)?.[1]?.length ?? 0);
  const fence = "`".repeat(runs.reduce((longest, length) => Math.max(longest, length + 1), 3));
  const highlighted = rangesOf(lines.flatMap((codeLine, i) => (codeLine.data?.highlighted ? [i + 1] : [])));
  const syntax = (data.syntax ?? "").replace(/[\s`]+/g, "");
  const info = [syntax, highlighted === "" ? oneLine(data.meta ?? "").replaceAll("`", "") : `{${highlighted}}`];
  const fenced = `${fence}${info.filter((part) => part !== "").join(" ")}\n${code.map((text) => `${text}\n`).join("")}${fence}`;
  const { title, overflow, lineNumbers } = data;
  const options = { title, overflow, lineNumbers: lineNumbers?.toString(), ...wide(data) };
  return Object.values(options).every((option) => option === undefined) ? fenced : pair("code", options, fenced);
}

/** Numbers of lines, those that follow each other as ranges. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: [from: number, to: number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
}

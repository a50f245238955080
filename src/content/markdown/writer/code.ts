// Writes code between fences that are longer than any in it.

import type { BlockOf } from "../../document";
import { writeTagPair } from "./tags";

/** Writes code, with its options in a tag around it. */
export function writeCode({ data = {}, nodes = [] }: BlockOf<"code">): string {
  const lines = nodes as BlockOf<"code-line">[];
  const code = lines.map((codeLine) =>
    codeLine.nodes?.[0]?.object === "text" ? (codeLine.nodes[0].leaves[0]?.text ?? "") : "",
  );
  // Consecutive highlighted lines are written as a range.
  const ranges: [from: number, to: number][] = [];
  for (const [i, codeLine] of lines.entries()) {
    if (!codeLine.data?.highlighted) continue;
    const last = ranges.at(-1);
    if (last?.[1] === i) last[1] = i + 1;
    else ranges.push([i + 1, i + 1]);
  }
  const highlighted = ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
  const syntax = (data.syntax ?? "").replace(/[ \t\r\n]+/g, "");
  const meta = highlighted === "" ? (data.meta ?? "").replace(/[\r\n]+/g, " ").trim() : `{${highlighted}}`;
  // Escapes and character references in an info string are decoded.
  const info = [syntax, meta]
    .filter((part) => part !== "")
    .join(" ")
    .replace(/\\(?=[!-/:-@[-`{-~])|&(?=#?[A-Za-z0-9]{1,32};)/g, "\\$&");
  const mark = info.includes("`") ? "~" : "`";
  const runs = code.map((text) => /^[ \t]*(`+|~+)/.exec(text)?.[1] ?? "").filter((run) => run.startsWith(mark));
  const fence = mark.repeat(runs.reduce((longest, { length }) => Math.max(longest, length + 1), 3));
  const opening = info.startsWith(mark) ? `${fence} ${info}` : fence + info;
  const fenced = `${opening}\n${code.map((text) => `${text}\n`).join("")}${fence}`;
  const { title, overflow, lineNumbers } = data;
  const fullWidth = data.fullWidth ? "true" : undefined;
  const options = { title, overflow, lineNumbers: lineNumbers?.toString(), fullWidth };
  return Object.values(options).every((option) => option === undefined)
    ? fenced
    : writeTagPair("code", options, fenced);
}

// The result of a command: JSON for programs, or lines for people.

import type { Option } from "./option";
import type { Given } from "./parsed-arguments";
import { plain } from "./plain";
import type { Terminal } from "./terminal";

export const jsonOption: Option = { name: "json", summary: "Print the result as JSON, and errors too." };

/** Prints a result in the way that was asked for. */
export function printResult(given: Given, terminal: Terminal, value: unknown, lines: readonly string[]): void {
  if (given.isOn("json")) terminal.print(JSON.stringify(value, null, 2));
  else for (const line of lines) terminal.print(line);
}

/** Columns as wide as their widest cell; the last one is left as it is. What others wrote cannot move the cursor. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.map((row) => row.map(plain));
  const widths = (shown[0] ?? []).map((_, i) => Math.max(...shown.map((row) => row[i]!.length)));
  return shown.map((row) => row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i]!))).join("  "));
}

/** A number with its thing: `1 page`, `2 pages`. */
export function counted(count: number, thing: string, things = `${thing}s`): string {
  return `${count} ${count === 1 ? thing : things}`;
}

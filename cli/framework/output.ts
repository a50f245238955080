// The result of a command: JSON for programs, or lines for people.

import type { CommandInput } from "./command-input";
import type { CommandOption } from "./option";
import { replaceControlCharacters, type Terminal } from "./terminal";

export const jsonOption: CommandOption = { name: "json", summary: "Print the result as JSON, and errors too." };

/** Prints `value` if JSON was requested, and `lines` otherwise. */
export function printResult(input: CommandInput, terminal: Terminal, value: unknown, lines: readonly string[]): void {
  if (input.isEnabled("json")) terminal.print(JSON.stringify(value, null, 2));
  else for (const line of lines) terminal.print(line);
}

/** Aligns rows in columns as wide as their widest cells. The last column is not padded. Control characters are replaced. */
export function formatColumns(rows: readonly (readonly string[])[]): string[] {
  const safeRows = rows.map((row) => row.map(replaceControlCharacters));
  const widths = (safeRows[0] ?? []).map((_, i) => Math.max(...safeRows.map((row) => row[i]!.length)));
  return safeRows.map((row) =>
    row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i]!))).join("  "),
  );
}

/** Returns a number with its noun: `1 page`, `2 pages`. */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

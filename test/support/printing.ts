// What long measurements print: the machine that they ran on, and tables.

import { cpus, totalmem } from "node:os";

/** Returns the day, the version of Node, and the machine. */
export function describeMachine(): string {
  const [{ model } = { model: "unknown" }] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} × ${model.trim()}, ${memory}`;
}

/** Prints a row of a table, each cell as wide as its column; the last of the widths is that of all further columns. */
export function printRow(cells: readonly (string | number)[], widths: readonly number[]): void {
  const padded = cells.map((cell, at) => String(cell).padEnd(widths[at] ?? widths.at(-1)!));
  console.log(padded.join("").trimEnd());
}

/** Prints a table, the columns two blanks apart. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)) + 2);
  for (const row of rows) printRow(row, widths);
}

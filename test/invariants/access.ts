// The access of every operation as one reviewed snapshot. `access.tsv` has a line for each operation:
//
//   operation         its name
//   scope             the scope that a token needs; `open` if no token is needed
//   public … expired  the status for a visitor's token, by the audience that admitted the visitor, or after the visit has ended;
//                     `open` if everybody gets the same without a token
//   events go to      for a write: the reads that a listener must be allowed to make, with the right of each
//   when it is gone   for a write: the list and the right that decide once the thing is deleted
//
// `npm run generate:access` writes the file. A changed line gives access to somebody or takes it away, so whoever reviews a change
// reads the lines that differ. The tests compare the snapshot with the declarations, and with the responses to real requests.

import { readFileSync } from "node:fs";

const [head, ...lines] = readFileSync(new URL("access.tsv", import.meta.url), "utf8")
  .trim()
  .split("\n");

/** The kinds of visitors, as the columns name them. */
export const visitorKinds: readonly string[] = head!.split("\t").slice(2, -2);

/** The access of every operation, as the snapshot has it. */
export const access = lines.map((line) => {
  const [name, scope, ...columns] = line.split("\t") as [name: string, scope: string, ...columns: string[]];
  const [eventReads, deletedRead] = columns.slice(-2) as [eventReads: string, deletedRead: string];
  return { name, scope, visitors: columns.slice(0, -2), eventReads, deletedRead };
});

/** The operations without a caller: the service itself, signed URLs, public content, and the endpoints of integrations. */
export const openNames: ReadonlySet<string> = new Set(
  access.filter(({ scope }) => scope === "open").map(({ name }) => name),
);

// Describes the access of every operation as it is now, for the snapshot in `access.tsv`.

import { createEventGuards } from "../../src/events/event-guards";
import type { RegisteredOperation } from "../../src/execution/kernel";
import { allOperations } from "../../src/operations";
import type { Cast, Example } from "./examples";
import { gatherVisitors } from "./visitors";

const table = allOperations();
const guards = createEventGuards(new Map(table.map((operation) => [operation.name, operation])));

/** The writes that publish events: not those of visitors, of integrations' own endpoints, and of the directory. */
export const publishingWrites = table.filter(({ definition: { method, path, spec } }) => {
  const isInDirectory = path.startsWith("/user") || spec.target.isVacant !== undefined;
  return method !== "GET" && !spec.isReadOnly && !spec.allowsVisitors && !spec.forwardsRequest && !isInDirectory;
});

/** Returns the scope that a token needs for an operation, or `open`. */
export function getNeededScope({ scope, definition }: RegisteredOperation): string {
  return definition.spec.target.allowsAnonymous ? "open" : scope;
}

/** Returns who gets the event of a write: by the reads that they may make, and once the thing is deleted. */
export function describeEvent(operation: RegisteredOperation): readonly [eventReads: string, deletedRead: string] {
  const params = Object.fromEntries(["organizationId", ...operation.definition.params].map((name) => [name, name]));
  const checks = guards.listChecks(operation, params, []);
  const reads = checks.map(({ operation: read }) => `${read.name} ${read.definition.spec.right}`);
  const list = guards.findListCheck(checks[0]!.operation);
  return [reads.join(", "), list ? `${list.operation.name} ${list.right}` : "admins"];
}

/** Returns true if visitors or everybody may call an operation. */
export function isForVisitors({ definition: { spec } }: RegisteredOperation): boolean {
  return spec.allowsVisitors === true || spec.target.allowsAnonymous === true;
}

/** Makes the request of an operation with a visitor's token. `outcome` is the status, or `open` if everybody gets the same. */
export async function askAsVisitor(
  { askWith }: Cast,
  token: string,
  { definition: { spec } }: RegisteredOperation,
  { ask, send }: Example,
): Promise<{ readonly outcome: string; readonly reason: string | undefined }> {
  const { status, body } = await askWith(token, ask, send);
  const isOpen = spec.target.allowsAnonymous === true && !spec.allowsVisitors;
  const isSame = isOpen && status === (await askWith(null, ask, send)).status;
  return { outcome: isSame ? "open" : String(status), reason: body?.error?.reason };
}

/** Returns the text of `access.tsv`. Makes the request of every operation as a visitor of every kind. */
export async function describeAccess(): Promise<string> {
  const { cast, arrivals, listRequests } = await gatherVisitors();
  // Visitors may change what a site has counted, so the operations that refuse them come first, as in the test.
  const sorted = table.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const operations = [...sorted.filter((it) => !isForVisitors(it)), ...sorted.filter(isForVisitors)];
  const outcomesByKind: Record<string, string>[] = [];
  for (const arrive of Object.values(arrivals)) {
    const token = await arrive();
    const requests = await listRequests(token);
    const outcomes: Record<string, string> = {};
    for (const operation of operations)
      outcomes[operation.name] = (await askAsVisitor(cast, token, operation, requests[operation.name]!)).outcome;
    outcomesByKind.push(outcomes);
  }

  const head = ["operation", "scope", ...Object.keys(arrivals), "events go to", "when it is gone"];
  const rows = sorted.map((operation) => [
    operation.name,
    getNeededScope(operation),
    ...outcomesByKind.map((outcomes) => outcomes[operation.name]!),
    ...(publishingWrites.includes(operation) ? describeEvent(operation) : ["-", "-"]),
  ]);
  return `${[head, ...rows].map((row) => row.join("\t")).join("\n")}\n`;
}

// Who hears of each operation that writes: `events.tsv` has the reads that a listener must be able to do, and what decides when
// the thing is gone. A new operation needs a row, and its author looks at it.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createEventGuards } from "../../src/events/event-guards";
import { allOperations } from "../../src/operations";

const table = allOperations();
const guards = createEventGuards(new Map(table.map((named) => [named.name, named])));
const [, ...lines] = readFileSync(new URL("events.tsv", import.meta.url), "utf8")
  .trim()
  .split("\n");

/** What decides about an operation, as a row. */
function rowOf(named: (typeof table)[number]): string {
  const params = Object.fromEntries(["organizationId", ...named.definition.params].map((name) => [name, name]));
  const checks = guards.listChecks(named, params, []);
  const told = checks.map(({ operation: read }) => `${read.name} ${read.definition.spec.right}`);
  const gone = guards.findListCheck(checks[0]!.operation);
  return [named.name, told.join(", "), gone ? `${gone.operation.name} ${gone.right}` : "admins"].join("\t");
}

const writes = table.filter(({ definition: { method, path, spec } }) => {
  const isInDirectory = path.startsWith("/user") || spec.target.isVacant !== undefined;
  return method !== "GET" && !spec.isReadOnly && !spec.allowsVisitors && !spec.forwardsRequest && !isInDirectory;
});

test("every write operation publishes an event to those who may read the resource", () => {
  expect(lines).toEqual(writes.map(rowOf).sort());
});

test("only the organization itself publishes events about the organization alone", () => {
  const wide = writes.filter((named) => guards.listChecks(named, {}, [])[0]!.operation.name === "getOrganization");
  expect(wide.map(({ name }) => name)).toEqual(["updateOrganization"]);
});

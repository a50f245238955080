// Who hears of each operation that writes: the snapshot has the reads that a listener must be able to do, and what decides when
// the thing is gone.

import { expect, test } from "vitest";
import { access } from "./access";
import { describeEvent, publishingWrites } from "./describe-access";

test("every write operation publishes an event to those who may read the resource", () => {
  const listed = access.filter(({ eventReads }) => eventReads !== "-");
  const published = publishingWrites.map((operation) => [operation.name, ...describeEvent(operation)]);
  expect(
    listed.map(({ name, eventReads, deletedRead }) => [name, eventReads, deletedRead]),
    "run `npm run generate:access`, and review the lines that differ",
  ).toEqual(published.sort(([a], [b]) => (a! < b! ? -1 : 1)));
});

test("only the organization itself publishes events about the organization alone", () => {
  const wide = publishingWrites.filter((operation) => describeEvent(operation)[0].startsWith("getOrganization "));
  expect(wide.map(({ name }) => name)).toEqual(["updateOrganization"]);
});

// Every operation that writes is asked for the same thing many times at once. Nobody is refused because others were quicker,
// and how often transactions run again is bounded. `npm run contention` has the times.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allOperations } from "../../../src/operations";
import { type Copier, copiers } from "../../invariants/copies";
import { onOneThing, prepareSubjects, type Subjects } from "./measure";

const names = allOperations()
  .filter(({ definition: { method, spec } }) => method !== "GET" && !spec.isReadOnly)
  .map(({ name }) => name);

let subjects: Subjects;

beforeAll(async () => {
  subjects = await prepareSubjects();
});

/** LevelDB has all of them; `npm run contention` has all of them on every storage. */
const AT_ONCE: Record<string, number> = { memory: 16, LevelDB: 64, "object storage": 16, PostgreSQL: 16 };

/** How often the transactions of a call run again at the most, those of its steps among them. */
const MOST_RETRIES = 6;

describe.each(copiers.map(([name]) => name))("many calls of one operation at once, on %s", (storage) => {
  let copier: Copier;

  beforeAll(async () => {
    copier = await subjects.copierFor(storage);
  });
  afterAll(() => copier.cleanUp());

  test.each(names)("%s", async (name) => {
    const calls = AT_ONCE[storage]!;
    const { statuses, refused, retries } = await onOneThing(subjects, copier, subjects.writes.get(name)!, calls);
    expect([refused, statuses[500] ?? 0]).toEqual([0, 0]);
    expect(retries).toBeLessThanOrEqual(MOST_RETRIES * calls);
  });
});

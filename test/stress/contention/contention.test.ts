// Every operation that writes is called many times at once, about one thing. Nobody is refused because others were quicker, and
// how often transactions run again is bounded. `npm run stress:contention` has the times.

import type { OperationName } from "octavo";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Copier, copiers } from "../../invariants/copies";
import { bounded } from "./exceptions";
import { onOneThing, prepareSubjects, type Subjects, writes } from "./measure";

/** LevelDB has all of them; `npm run stress:contention` has all of them on every storage. */
const AT_ONCE: Record<string, number> = { memory: 16, LevelDB: 64, "object storage": 16, PostgreSQL: 16 };

/** How often the transactions of a call run again at the most, those of its steps among them. */
const MOST_RETRIES = 6;

let subjects: Subjects;

beforeAll(async () => {
  subjects = await prepareSubjects(64);
});

describe.each(copiers.map(([name]) => name))("simultaneous calls of one operation on %s", (storage) => {
  let copier: Copier;

  beforeAll(async () => {
    copier = await subjects.copierFor(storage);
  });
  afterAll(() => copier.cleanUp());

  test.each(writes)("many simultaneous calls of %s are not refused", async (name: OperationName) => {
    const calls = AT_ONCE[storage]!;
    const { refused, retries } = await onOneThing(subjects, copier, name, calls);
    const { reason = "" } = bounded[name] ?? {};
    const { [reason]: _, ...others } = refused;
    expect(others).toEqual({});
    expect(retries).toBeLessThanOrEqual(MOST_RETRIES * calls);
  });
});

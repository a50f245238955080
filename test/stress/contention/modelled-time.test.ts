// Many calls of one operation at once, in modelled time: a request to a bucket takes 20 ms, a round trip to a database 0.5 ms, and
// each call of the storage keeps the only processor busy for 0.2 ms. Nothing else takes any time. Nobody is refused, nobody waits
// much longer than the others, and calls about one thing have at least half the throughput of calls about different things.
// `npm run stress:contention` measures all operations, with the real time of the processor.

import type { OperationName } from "octavo";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Copier } from "../../invariants/copies";
import { copiesOfBucket, copiesOfDatabase, onManyThings, onOneThing, prepareSubjects, type Subjects } from "./measure";
import { ModelClock } from "./model-clock";

/** Those that were refused most often, and one of each kind: a record, a list, a counter, a queue, content. */
const names: readonly OperationName[] = [
  "updateMember",
  "deleteTeam",
  "updateSpace",
  "changeContent",
  "createChangeRequest",
  "postCommentOnSpace",
  "updateSpaceComment",
  "createSiteSpace",
  "updateSite",
  "updateSiteInstallation",
  "reportSiteView",
];

const AT_ONCE = 64;

/** The goals. */
const MOST_TIMES = 6;
const LEAST_SHARE = 0.5;

let subjects: Subjects;

beforeAll(async () => {
  subjects = await prepareSubjects(AT_ONCE, names);
});

afterEach(() => {
  vi.restoreAllMocks();
});

const places: [name: string, create: (clock: ModelClock) => Promise<Copier>][] = [
  ["a bucket", (clock) => copiesOfBucket(subjects, clock)],
  ["a database", (clock) => copiesOfDatabase(subjects, clock)],
];

describe.each(places)("64 simultaneous calls on %s", (_, create) => {
  test.each(names)("%s", async (name) => {
    const clock = new ModelClock(false);
    const copier = await create(clock);
    // The time of the code under test is that of the model, too.
    const clockOfRuntime = vi.spyOn(performance, "now").mockImplementation(() => clock.now());
    const one = await onOneThing(subjects, copier, name, AT_ONCE);
    const many = await onManyThings(subjects, copier, name, AT_ONCE);
    clockOfRuntime.mockRestore();
    await copier.cleanUp();
    expect(one.refused).toEqual({});
    const times = one.times.toSorted((a, b) => a - b);
    const [median, slowest] = [times[AT_ONCE / 2 - 1]!, times.at(-1)!];
    expect(slowest).toBeLessThanOrEqual(MOST_TIMES * median);
    expect(many.whole / one.whole).toBeGreaterThanOrEqual(LEAST_SHARE);
  });
});

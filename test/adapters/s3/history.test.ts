// The checker of histories: it accepts what is right, and finds what is wrong. A checker that accepts everything would
// prove nothing.

import { describe, expect, test } from "vitest";
import type { Batch, Entry } from "../../../src/storage/storage";
import { type Call, type CommitCall, type SnapshotCall, violations } from "./history";

const nothing: Batch = { checks: [], puts: [], deletes: [], adds: [] };

function commit(mark: string, times: [number, number], answer: CommitCall["answer"], batch: Partial<Batch> = {}) {
  const puts = [...(batch.puts ?? []), { key: mark, value: null }];
  const [began, ended] = times;
  return { kind: "commit" as const, mark, began, ended, answer, batch: { ...nothing, ...batch, puts } };
}

function snapshot(times: [number, number], version: number, reads: Partial<SnapshotCall> = {}): SnapshotCall {
  const [began, ended] = times;
  return { kind: "snapshot", began, ended, version, got: [], listed: [], ...reads };
}

const mark = (key: string, version: number): Entry => ({ key, version, value: null });
const put = (value: number) => ({ puts: [{ key: "k", value }] });
const seen = (value: number, version: number) => ({ got: [{ key: "k", entry: { key: "k", value, version } }] });
const FOREVER = Number.MAX_VALUE;

describe("accepted histories", () => {
  const histories: Record<string, { calls: Call[]; marks: Entry[] }> = {
    "in which everything happens in turn": {
      calls: [
        snapshot([0, 1], 0, { got: [{ key: "k", entry: null }], listed: [{ under: "k", entries: [] }] }),
        commit("m1", [2, 3], { version: 1 }, { ...put(1), checks: [{ key: "k", version: null }] }),
        snapshot([4, 5], 1, seen(1, 1)),
        commit("m2", [6, 7], { version: 2 }, { adds: [{ key: "k", amount: 4 }] }),
        snapshot([8, 9], 2, { ...seen(5, 2), listed: [{ under: "k", entries: [{ key: "k", value: 5, version: 2 }] }] }),
        commit("m3", [10, 11], { version: 3 }, { deletes: ["k"] }),
        snapshot([12, 13], 3, { got: [{ key: "k", entry: null }] }),
      ],
      marks: [mark("m1", 1), mark("m2", 2), mark("m3", 3)],
    },
    "in which calls that overlap took effect against the order in which they began": {
      calls: [
        commit("m1", [0, 9], { version: 2 }, put(1)),
        commit("m2", [1, 8], { version: 1 }, put(2)),
        snapshot([2, 3], 1, seen(2, 1)),
        snapshot([4, 5], 2, seen(1, 2)),
        snapshot([0, 6], 0),
      ],
      marks: [mark("m1", 2), mark("m2", 1)],
    },
    "in which a commit without an answer has happened, and another one not": {
      calls: [
        commit("m1", [0, FOREVER], "unknown", put(1)),
        commit("m2", [1, FOREVER], "unknown", put(2)),
        snapshot([2, 3], 0),
        snapshot([4, 5], 1, seen(1, 1)),
      ],
      marks: [mark("m1", 1)],
    },
    "in which a check failed that had become stale during the call": {
      calls: [
        commit("m1", [0, 10], { conflict: "k" }, { checks: [{ key: "k", version: null }] }),
        commit("m2", [5, 6], { version: 1 }, put(1)),
      ],
      marks: [mark("m2", 1)],
    },
  };
  for (const [name, { calls, marks }] of Object.entries(histories)) {
    test(name, () => expect(violations(calls, marks)).toEqual([]));
  }
});

describe("rejected histories", () => {
  const first = commit("m1", [0, 1], { version: 1 }, put(1));
  const histories: Record<string, { calls: Call[]; marks: Entry[]; because: RegExp }> = {
    "in which an acknowledged commit was lost": {
      calls: [first],
      marks: [],
      because: /m1 was acknowledged as 1 and is stored as nothing/,
    },
    "in which a commit happened twice": {
      calls: [first, snapshot([2, 3], 2)],
      marks: [mark("m1", 2)],
      because: /m1 was acknowledged as 1 and is stored as 2/,
    },
    "in which a refused commit happened": {
      calls: [first, commit("m2", [2, 3], { conflict: "k" }, { checks: [{ key: "k", version: null }] })],
      marks: [mark("m1", 1), mark("m2", 2)],
      because: /m2 was refused and is stored as 2/,
    },
    "in which a commit that surely failed happened": {
      calls: [commit("m1", [0, 1], "none")],
      marks: [mark("m1", 1)],
      because: /m1 was refused and is stored as 1/,
    },
    "in which two commits have one version": {
      calls: [first, commit("m2", [0, 1], { version: 1 })],
      marks: [mark("m1", 1), mark("m2", 1)],
      because: /m2 shares its version 1/,
    },
    "in which a later commit came to stand before an earlier one": {
      calls: [commit("m1", [0, 1], { version: 2 }), commit("m2", [2, 3], { version: 1 })],
      marks: [mark("m1", 2), mark("m2", 1)],
      because: /m2 began after 2 was seen and became 1/,
    },
    "in which a commit was seen before it began": {
      calls: [snapshot([0, 1], 1), commit("m1", [2, 3], { version: 1 })],
      marks: [mark("m1", 1)],
      because: /m1 began after 1 was seen and became 1/,
    },
    "in which an update was lost": {
      calls: [first, commit("m2", [0, 3], { version: 2 }, { ...put(2), checks: [{ key: "k", version: null }] })],
      marks: [mark("m1", 1), mark("m2", 2)],
      because: /m2 became 2 though its check of k was stale/,
    },
    "in which a snapshot misses an acknowledged commit": {
      calls: [first, snapshot([2, 3], 0)],
      marks: [mark("m1", 1)],
      because: /begun after 1 was seen has the version 0/,
    },
    "in which time runs backwards from one snapshot to the next": {
      calls: [commit("m1", [0, 9], { version: 1 }), snapshot([1, 2], 1), snapshot([3, 4], 0)],
      marks: [mark("m1", 1)],
      because: /begun after 1 was seen has the version 0/,
    },
    "in which a snapshot has a version of its own": {
      calls: [first, snapshot([2, 3], 7)],
      marks: [mark("m1", 1)],
      because: /the version 7, which no commit has/,
    },
    "in which a snapshot has one key of one version and one of another": {
      calls: [
        commit("m1", [0, 1], { version: 1 }, { puts: ["j", "k"].map((key) => ({ key, value: 1 })) }),
        commit("m2", [2, 3], { version: 2 }, { puts: ["j", "k"].map((key) => ({ key, value: 2 })) }),
        snapshot([4, 5], 2, { ...seen(2, 2), listed: [{ under: "j", entries: [{ key: "j", value: 1, version: 1 }] }] }),
      ],
      marks: [mark("m1", 1), mark("m2", 2)],
      because: /The snapshot 2 has .* under j/,
    },
    "in which a counter was added to twice": {
      calls: [
        commit("m1", [0, 1], { version: 1 }, { adds: [{ key: "k", amount: 2 }] }),
        snapshot([2, 3], 1, seen(4, 1)),
      ],
      marks: [mark("m1", 1)],
      because: /The snapshot 1 has .* at k/,
    },
    "in which a check failed that was never stale": {
      calls: [first, commit("m2", [2, 3], { conflict: "k" }, { checks: [{ key: "k", version: 1 }] })],
      marks: [mark("m1", 1)],
      because: /m2 was refused for k, which was not stale/,
    },
    "in which a check failed that became stale only afterwards": {
      calls: [
        commit("m1", [0, 1], { conflict: "k" }, { checks: [{ key: "k", version: null }] }),
        commit("m2", [2, 3], { version: 1 }, put(1)),
      ],
      marks: [mark("m2", 1)],
      because: /m1 was refused for k, which was not stale/,
    },
  };
  for (const [name, { calls, marks, because }] of Object.entries(histories)) {
    test(name, () => expect(violations(calls, marks).join("\n")).toMatch(because));
  }
});

// Git synchronization on a storage that fails: whatever happens in between, in the end both sides hold the same, once.

import { type MemoryStorage, memoryStorage } from "octavo/memory";
import { beforeAll, describe, expect, test } from "vitest";
import { type Fault, watch } from "../../invariants/faults";
import { HOUR, open, type Setting, setUp } from "../../support/setting";
import { isLongRun } from "../../support/test-length";
import { client, remote, WITH_PASSWORD } from "./git-sync-remote";

const options = { fetch: async () => new Response(null, { status: 404 }), git: { client } };
const place = { url: WITH_PASSWORD, ref: "refs/heads/main" };

let base: MemoryStorage;
let setting: Setting;
let space: string;
let restore: () => void;

beforeAll(async () => {
  remote.reset({
    "SUMMARY.md": "# Table of contents\n\n* [Home](README.md)\n",
    "README.md": "# Home\n\nWelcome.\n",
  });
  base = memoryStorage();
  setting = await setUp(base, options);
  space = (await setting.ask("create", `POST /v1/orgs/${setting.org}/spaces`, { title: "Docs" })).body.id;
  await setting.ask("create", `POST /v1/spaces/${space}/git/import`, place);
  const changes = ["Here", "Also here"].map((title) => ({
    operation: "insert_page",
    title,
    document: { markdown: `Written ${title}.` },
  }));
  await setting.ask("edit", `POST /v1/spaces/${space}/content`, { changes });
  remote.commit({
    "SUMMARY.md": "# Table of contents\n\n* [Home](README.md)\n* [There](there.md)\n",
    "there.md": "# There\n\nWritten there.\n",
  });
  restore = remote.remember();
});

/** One request with one fault, and what there is once a later process has done the work that waits. */
async function outcome(direction: "import" | "export", failing?: { call: number; fault: Fault }) {
  restore();
  const storage = watch(base.copy());
  const { clock, askWith } = open(storage, { ...options, onError: () => {} });
  clock.now = new Date(setting.clock.now.getTime() + HOUR);
  if (failing) storage.failAt(failing.call, failing.fault);
  const start = storage.calls.total;
  const send = { ...place, ...(direction === "export" ? { commitMessage: "From here" } : {}) };
  const { status } = await askWith(setting.tokens.create, `POST /v1/spaces/${space}/git/${direction}`, send);
  const calls = storage.calls.total - start;
  const isCommit = (call: number) => storage.commits.has(start + call);
  const later = open(storage.survivor, { ...options, onError: () => {} });
  later.clock.now = clock.now;
  for (let i = 0; i < 3; i++) {
    later.clock.forward(HOUR);
    await later.api.maintain();
  }
  const ask = async (path: string) =>
    (await later.askWith(setting.tokens.create, `GET /v1/spaces/${space}${path}`)).body;
  const { waiting, lastRun, conflicts } = await ask("/git/info");
  const titles = (await ask("/content/pages")).pages.map(({ title }: { title: string }) => title);
  return {
    status,
    calls,
    isCommit,
    waiting,
    lastRun,
    conflicts,
    titles,
    commits: remote.commits.length,
    summary: remote.text("SUMMARY.md"),
  };
}

describe.each(["import", "export"] as const)("faults during an %s", (direction) => {
  test.each(["before", "answer lost", "crash"] as const)(
    "synchronization survives a failure at every call: %s",
    async (fault) => {
      const good = await outcome(direction);
      expect(good).toMatchObject({ status: 204, waiting: 0, lastRun: { status: "completed" } });
      expect([...good.titles].sort()).toEqual(["Also here", "Here", "Home", "There"]);
      expect(good.commits).toBe(direction === "export" ? 3 : 2);
      expect(good.calls).toBeGreaterThan(20);
      // On a long way some reads stand for those beside them; a long run fails every one. No commit is left out.
      const stride = isLongRun ? 1 : Math.ceil(good.calls / 12);
      for (let call = 1; call <= good.calls; call++) {
        if (fault === "before" && !good.isCommit(call) && call % stride > 0) continue;
        // Only a commit has an answer that can be lost, and a process that ends between two commits leaves the same behind.
        if (fault === "answer lost" && !good.isCommit(call)) continue;
        if (fault === "crash" && !good.isCommit(call) && call > 1 && !good.isCommit(call - 1)) continue;
        const found = await outcome(direction, { call, fault });
        const told = `${direction}, ${fault} at call ${call}: ${JSON.stringify(found)}`;
        if (found.status !== 204 && found.lastRun.requestedAt !== good.lastRun.requestedAt) continue;
        expect(found.lastRun, told).toMatchObject({ direction, status: "completed" });
        expect(found, told).toMatchObject({
          waiting: 0,
          titles: good.titles,
          commits: good.commits,
          summary: good.summary,
        });
        expect(found.conflicts, told).toBeUndefined();
      }
    },
  );
});

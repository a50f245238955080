// What a process leaves behind that is killed in the middle of its work. On a storage that one process has alone, the next one
// goes on at once; on any other, when the leases are over.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DocsApiOptions, Storage } from "octavo";
import { levelStorage } from "octavo/level";
import { memoryStorage } from "octavo/memory";
import { expect, onTestFinished, test } from "vitest";
import { reversed } from "../content/translation/translators";
import { client, remote, WITH_PASSWORD } from "../resources/content/git-sync-remote";
import { until } from "../support/patience";
import { type Answer, HOUR, open, type Setting, setUp } from "../support/setting";

/** One storage before and after a process was killed. What the first process still does afterwards fails. */
interface Place {
  readonly before: Storage;
  readonly after: () => Promise<Storage>;
}

const places: Record<string, () => Promise<Place>> = {
  async LevelDB() {
    const directory = await mkdtemp(join(tmpdir(), "octavo-owner-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    const before = levelStorage(directory);
    const after = async () => {
      await before.close();
      const next = levelStorage(directory);
      onTestFinished(() => next.close());
      return next;
    };
    return { before, after };
  },
  async memory() {
    const before = memoryStorage();
    return { before, after: async () => before.copy() };
  },
};

interface Work {
  /** Options with which the work begins and never ends. */
  readonly stuck: () => { readonly options: DocsApiOptions; readonly hasBegun: () => boolean };
  readonly options: DocsApiOptions;
  readonly begin: (setting: Setting, space: string) => Promise<{ readonly status: number }>;
  readonly isDone: (ask: (route: string) => Promise<Answer>, setting: Setting, space: string) => Promise<boolean>;
}

/** Notes that something was called, and never answers. */
function neverAnswering() {
  let hasBegun = false;
  const call = () => {
    hasBegun = true;
    return new Promise<never>(() => {});
  };
  return { call, hasBegun: () => hasBegun };
}

const works: Record<string, Work> = {
  "a run of a translation": {
    stuck: () => {
      const { call, hasBegun } = neverAnswering();
      return { options: { translator: call }, hasBegun };
    },
    options: { translator: async ({ texts }) => texts.map(reversed) },
    begin: ({ ask, org }, space) =>
      ask("admin", `POST /v1/orgs/${org}/translations`, { language: "de", source: { space } }),
    isDone: async (ask, { org }) => {
      const { items } = (await ask(`GET /v1/orgs/${org}/translations`)).body;
      return items[0]?.status === "completed";
    },
  },
  "an import from Git": {
    stuck: () => {
      const { call, hasBegun } = neverAnswering();
      return { options: { git: { client: { ...client, readRemote: call } } }, hasBegun };
    },
    options: { git: { client } },
    begin: ({ ask }, space) =>
      ask("admin", `POST /v1/spaces/${space}/git/import`, { url: WITH_PASSWORD, ref: "refs/heads/main" }),
    isDone: async (ask, _, space) =>
      (await ask(`GET /v1/spaces/${space}/git/info`)).body.lastRun?.status === "completed",
  },
};

const fetch = async () => new Response(null, { status: 404 });

async function goOn(placeName: string, workName: string, waitMs: number): Promise<boolean> {
  const work = works[workName]!;
  remote.reset({ "README.md": "# Home\n\nWelcome.\n" });
  const place = await places[placeName]!();
  const setting = await setUp(place.before, { fetch, onError: () => {} });
  const space = (await setting.ask("admin", `POST /v1/orgs/${setting.org}/spaces`, { title: "Guide" })).body.id;
  await setting.ask("admin", `POST /v1/spaces/${space}/content`, {
    changes: [{ operation: "insert_page", title: "A page", document: { markdown: "Some words." } }],
  });
  const { options, hasBegun } = work.stuck();
  const first = open(place.before, { fetch, onError: () => {}, waitUntil: () => {}, ...options });
  first.clock.now = setting.clock.now;
  const ask: Setting["ask"] = (as, route, send) => first.askWith(as && setting.tokens[as], route, send);
  expect((await work.begin({ ...setting, ask }, space)).status).toBeLessThan(300);
  await until(() => expect(hasBegun()).toBe(true));

  const second = open(await place.after(), { fetch, onError: () => {}, ...work.options });
  second.clock.now = new Date(setting.clock.now.getTime() + waitMs);
  await second.api.maintain();
  return work.isDone((route) => second.askWith(setting.tokens.admin, route), setting, space);
}

test.each(Object.keys(works))("%s continues at once on LevelDB after a kill", async (work) => {
  expect(await goOn("LevelDB", work, 1000)).toBe(true);
});

test.each(Object.keys(works))(
  "%s continues when the leases expire if other processes may share the storage",
  async (work) => {
    expect(await goOn("memory", work, 1000)).toBe(false);
    expect(await goOn("memory", work, HOUR)).toBe(true);
  },
);

test("a job leased by this process is left alone, and one of an earlier process counts as a death", async () => {
  const { before, after } = await places.LevelDB!();
  const setting = await setUp(before, { fetch, onError: () => {} });
  const { call, hasBegun } = neverAnswering();
  const sendMail = async () => {
    await call();
  };
  const stuck = { fetch, onError: () => {}, waitUntil: () => {}, sendMail };
  const first = open(before, stuck);
  first.clock.now = setting.clock.now;
  const sent = { emails: ["new@example.org"], role: "read" };
  await first.askWith(setting.tokens.admin, `POST /v1/orgs/${setting.org}/invites`, sent);
  await until(() => expect(hasBegun()).toBe(true));
  expect((await first.api.maintain()).jobs).toBe(0);

  const storage = await after();
  const mails: string[] = [];
  const second = open(storage, { ...stuck, sendMail: async ({ to }: { to: string }) => void mails.push(to) });
  second.clock.now = setting.clock.now;
  expect((await second.api.maintain()).jobs).toBe(1);
  expect(mails).toEqual(["new@example.org"]);
});

// What becomes of a synchronization when its space is deleted, purged, copied or transferred, when the storage is swept, and
// when synchronizing is ended while a request waits.

import { memoryStorage } from "octavo/memory";
import { beforeEach, expect, test } from "vitest";
import { GitError } from "../../../src/git/port";
import { until } from "../../support/patience";
import { DAY, dump, HOUR, open, type Setting, setUp } from "../../support/setting";
import { client, remote, WITH_PASSWORD } from "./git-sync-remote";

let setting: Setting;
let space: string;
let errors: unknown[];
let reads: { readonly isKnown: boolean }[];
/** What the next reads of the repository meet. */
let failure: Error | undefined;

beforeEach(async () => {
  remote.reset({
    "SUMMARY.md": "* [Home](README.md)\n* [Guide](guide.md)\n",
    "README.md": "# Home\n",
    "guide.md": "# Guide\n\nText.\n",
  });
  errors = [];
  reads = [];
  failure = undefined;
  setting = await setUp(memoryStorage(), {
    fetch: async () => new Response(null, { status: 404 }),
    git: {
      client: {
        ...client,
        readRemote(options) {
          reads.push({ isKnown: options.knownState !== undefined });
          if (failure) throw failure;
          return client.readRemote(options);
        },
      },
    },
    onError: (error) => errors.push(error),
  });
  space = (await setting.ask("create", `POST /v1/orgs/${setting.org}/spaces`, { title: "Docs" })).body.id;
});

const ask = (route: string, send?: unknown) => setting.ask("admin", route.replace("~", `/v1/spaces/${space}`), send);
const place = { url: WITH_PASSWORD, ref: "refs/heads/main" };
async function send(direction: "import" | "export") {
  setting.clock.forward(1000);
  const message = direction === "export" ? { commitMessage: "From here" } : {};
  expect((await ask(`POST ~/git/${direction}`, { ...place, ...message })).status).toBe(204);
  return (await ask("GET ~/git/info")).body;
}
async function later(ms: number): Promise<void> {
  setting.clock.forward(ms);
  await setting.api.maintain();
}
const titles = async () =>
  (await ask("GET ~/content/pages")).body.pages.map(({ title }: { title: string }) => title) as string[];
const left = async () => [...(await dump(setting.storage)).keys()].filter((key) => /git-(sync|request)/.test(key));

test("a sweep keeps what the next synchronization needs", async () => {
  await send("import");
  await later(2 * DAY);
  remote.commit({ "guide.md": "# Guide\n\nOther text.\n" });
  reads.length = 0;
  expect((await send("import")).lastRun.status).toBe("completed");
  expect(reads).toEqual([{ isKnown: true }]);
  await later(2 * DAY);
  const changes = [{ operation: "insert_page", title: "New", document: { markdown: "New." } }];
  await ask("POST ~/content", { changes });
  reads.length = 0;
  expect((await send("export")).lastRun.status).toBe("completed");
  expect(reads).toEqual([{ isKnown: true }]);
  await later(2 * DAY);
  remote.commit({ "README.md": "# Home again\n" });
  reads.length = 0;
  await send("import");
  expect(reads).toEqual([{ isKnown: true }]);
  expect(await titles()).toEqual(["Home again", "Guide", "New"]);
  expect(errors).toEqual([]);
});

test.each([
  ["damaged", 1],
  // An outage may end: the control.
  ["unreachable", 4],
] as const)("a repository that is %s is read %i times in an hour and a half", async (reason, times) => {
  failure = new GitError(reason, "Refused.");
  await send("import");
  for (let i = 0; i < 3; i++) await later(HOUR / 2);
  expect(reads).toHaveLength(times);
  const { waiting, lastRun } = (await ask("GET ~/git/info")).body;
  expect([waiting, lastRun.status]).toEqual(reason === "damaged" ? [0, "failed"] : [1, "running"]);
  expect(lastRun.error).toBe("Refused.");
  failure = undefined;
  expect((await send("import")).lastRun.status, "another request reads it again").toBe("completed");
});

test("a request of a space in the trash is dropped", async () => {
  remote.down();
  await send("import");
  await ask("DELETE ~");
  remote.up();
  errors.length = 0;
  await later(HOUR);
  expect(errors).toEqual([]);
  expect((await left()).filter((key) => key.includes("git-request"))).toEqual([]);
  await ask("POST ~/restore");
  expect((await ask("GET ~/git/info")).body).toMatchObject({ waiting: 0, lastRun: { status: "failed" } });
  await send("import");
  expect(await titles()).toEqual(["Home", "Guide"]);
});

test("a purged space loses its synchronization", async () => {
  await send("import");
  await ask("DELETE ~");
  await later(8 * DAY);
  expect(await left()).toEqual([]);
  expect(errors).toEqual([]);
});

test("a copy of a space has the content and is not synchronized", async () => {
  await send("import");
  const copy = (await ask("POST ~/duplicate")).body;
  expect(copy.gitSync).toBeUndefined();
  expect((await ask("GET ~")).body.gitSync).toBeDefined();
});

test("a transfer ends the synchronization, which can be set up again with the same pages", async () => {
  await send("import");
  const pages = (await ask("GET ~/content/pages")).body.pages;
  const door = await setting.ask("rival", `POST /v1/orgs/${setting.otherOrg}/link-invites`, { role: "admin" });
  await setting.ask("admin", `POST /v1/orgs/${setting.otherOrg}/invites/${door.body.id}`);
  expect((await ask("POST ~/transfer", { organization: setting.otherOrg })).status).toBe(200);
  await later(HOUR);
  expect(await left()).toEqual([]);
  expect((await ask("GET ~/git/info")).status).toBe(404);
  remote.commit({ "guide.md": "# Guide\n\nOther text.\n" });
  expect((await send("import")).lastRun.status).toBe("completed");
  const after = (await ask("GET ~/content/pages")).body.pages;
  expect(after.map(({ id }: { id: string }) => id)).toEqual(pages.map(({ id }: { id: string }) => id));
  expect(errors).toEqual([]);
});

test("a synchronization that is ended while a request waits does nothing more", async () => {
  remote.down();
  await send("import");
  expect((await ask("DELETE ~/git/legacy-installation")).status).toBe(204);
  remote.up();
  await later(HOUR);
  expect(await titles()).toEqual([]);
  expect(await left()).toEqual([]);
});

test("requests beyond the queue are told to retry", async () => {
  remote.down();
  const statuses = new Set<number>();
  for (let i = 0; i < 45; i++) {
    setting.clock.forward(1000);
    statuses.add((await ask("POST ~/git/import", { ...place, standalone: true })).status);
  }
  expect([...statuses]).toEqual([204, 503]);
  remote.up();
  for (let i = 0; i < 3; i++) await later(HOUR);
  expect((await ask("GET ~/git/info")).body.waiting).toBe(0);
});

test("a request that ended two processes is given up with a message, and the next one runs", async () => {
  let read = 0;
  const readRemote = () => {
    read++;
    return new Promise<never>(() => {});
  };
  const never: typeof client = { ...client, readRemote };
  /** A process that is never heard of again once it reads the repository. */
  const dying = () =>
    open(setting.storage, {
      fetch: async () => new Response(null, { status: 404 }),
      git: { client: never },
      waitUntil: () => {},
      now: () => setting.clock.now,
    });
  const dead = async (times: number) => {
    await until(() => expect(read).toBe(times));
    setting.clock.forward(HOUR);
  };
  void dying().askWith(setting.tokens.admin, `POST /v1/spaces/${space}/git/import`, place);
  await dead(1);
  void dying().api.maintain();
  await dead(2);
  await setting.api.maintain();
  expect((await ask("GET ~/git/info")).body).toMatchObject({
    waiting: 0,
    lastRun: {
      status: "failed",
      error: "The server ended 2 times while it was at it, so it is not tried again by itself.",
    },
  });
  expect((await send("import")).lastRun.status).toBe("completed");
});

// The life of an audit log: rows are sealed into a chain, pages go on while that happens, what was kept long enough is
// forgotten, and whatever somebody does to the stored lines or to an exported file shows.

import type { Json, Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { beforeAll, describe, expect, test } from "vitest";
import { createAuditLog } from "../../../src/audit/log";
import { encodeKey } from "../../../src/storage/key";
import { createSecrets } from "../../../src/storage/secrets";
import type { Entry } from "../../../src/storage/storage";
import { createStore } from "../../../src/storage/store";
import { copierOf } from "../../invariants/faults";
import { DAY, HOUR, MINUTE, open, SECRET, type Setting, seeded, setUp } from "../../support/setting";

type Event = { id: string; action: string; createdAt: string; things: { id: string }[] };

const under = {
  rows: encodeKey("audit"),
  segments: encodeKey("audit-segment"),
  head: encodeKey("audit-head"),
  total: encodeKey("audit-total"),
};

async function entries(storage: Storage, org: string, prefix: string): Promise<readonly Entry[]> {
  const view = await storage.partition(`org-${org.slice(4)}`).snapshot();
  return view.list({ under: prefix, limit: 1000 });
}

/** Writes into the storage as somebody would who has it, and not the secret. */
const forge = (storage: Storage, org: string, puts: { key: string; value: Json }[], deletes: string[] = []) =>
  storage.partition(`org-${org.slice(4)}`).commit({ checks: [], puts, deletes, adds: [] });

const exportOf = async ({ ask, org }: Pick<Setting, "ask" | "org">, query = "") =>
  ((await ask("admin", `GET /v1/orgs/${org}/audit-events/export${query}`)).body as string).trim().split("\n");

/** Some events, one each second. */
async function write({ ask, org, clock }: Setting, count: number) {
  for (let i = 0; i < count; i++) {
    clock.forward(1000);
    await ask("admin", `PATCH /v1/orgs/${org}`, { ai: i % 2 === 0 });
  }
}

/** Many events at once, as the API writes them. */
async function fill({ storage, org, clock, ids }: Setting, count: number, more: object = {}) {
  const store = createStore(storage, { now: () => clock.now, random: seeded(count), pause: async () => {} });
  const log = createAuditLog(store, createSecrets([SECRET], seeded(1)));
  const partition = `org-${org.slice(4)}`;
  for (let done = 0; done < count; done += 100)
    await store.write(partition, async (tx) => {
      for (let i = done; i < Math.min(count, done + 100); i++) {
        clock.forward(1000);
        log.record(tx, partition, { action: "updateOrganization", actor: { type: "user", id: ids.admin }, ...more });
      }
    });
}

async function listed({ ask, org }: Setting, query: string): Promise<Event[]> {
  const items: Event[] = [];
  for (let page = ""; ; ) {
    const { body } = await ask("admin", `GET /v1/orgs/${org}/audit-events?${query}${page}`);
    items.push(...body.items);
    if (!body.next) return items;
    page = `&page=${body.next.page}`;
  }
}

describe("the audit log", () => {
  test("maintain() seals the log without changing its events", async () => {
    const setting = await setUp(memoryStorage());
    const { api, storage, org, clock } = setting;
    await write(setting, 10);
    const before = await listed(setting, "limit=7");
    const lines = await exportOf(setting);
    expect(await entries(storage, org, under.segments)).toHaveLength(0);
    // Few rows wait for an hour.
    await api.maintain();
    expect(await entries(storage, org, under.segments)).toHaveLength(0);
    clock.forward(HOUR);
    await api.maintain();
    expect(await entries(storage, org, under.rows)).toHaveLength(0);
    expect(await entries(storage, org, under.segments)).toHaveLength(1);
    expect(await listed(setting, "limit=7")).toEqual(before);
    for (const event of before)
      expect((await setting.ask("admin", `GET /v1/orgs/${org}/audit-events/${event.id}`)).body).toEqual(event);
    expect(await listed(setting, "limit=3&order=asc")).toEqual(before.toReversed());
    expect(await exportOf(setting)).toEqual(lines);
    expect(await api.verifyAudit({ organization: org })).toMatchObject({ events: before.length, problems: [] });
    expect(await api.verifyAudit({ lines })).toMatchObject({ events: before.length, problems: [] });
    // The last segment is filled up. Rows that fill one do not wait for an hour.
    await write(setting, 5);
    clock.forward(HOUR);
    await api.maintain();
    expect(await entries(storage, org, under.segments)).toHaveLength(1);
    await fill(setting, 300);
    clock.forward(MINUTE);
    await api.maintain();
    expect(await entries(storage, org, under.rows)).toHaveLength(before.length + 5 + 300 - 256);
    clock.forward(HOUR);
    await api.maintain();
    const segments = (await entries(storage, org, under.segments)).map(
      ({ value }) => (value as { lines: Json[] }).lines,
    );
    expect(segments.map((lines) => lines.length)).toEqual([256, before.length + 5 + 300 - 256]);
    expect(await api.verifyAudit({ organization: org })).toMatchObject({ events: before.length + 305, problems: [] });
    const all = await listed(setting, "limit=100");
    expect(new Set(all.map(({ id }) => id)).size).toBe(before.length + 305);
    expect(await listed(setting, "limit=1000&order=asc")).toEqual(all.toReversed());
    const since = all[20]!.createdAt;
    expect(await listed(setting, `limit=4&from=${since}`)).toEqual(all.slice(0, 21));
    expect(await listed(setting, `limit=50&until=${since}&action=acceptInvite`)).toEqual(
      all.filter(({ action }) => action === "acceptInvite"),
    );
    const made = all.find(({ action }) => action === "acceptInvite")!;
    expect(await listed(setting, `thing=${made.things[0]!.id}`)).toContainEqual(made);
    const filtered = await exportOf(setting, `?from=${since}&action=updateOrganization`);
    expect(filtered.map((line) => JSON.parse(line).id)).toEqual(
      all
        .slice(0, 21)
        .map(({ id }) => id)
        .toReversed(),
    );
    // No invite's id is in it: it would let people in.
    expect(JSON.stringify(all)).not.toMatch(/inv_[0-9a-z]{20,}/);
  });

  test("the log is sealed to its end even if a segment cannot hold so many rows", async () => {
    const setting = await setUp(memoryStorage());
    const { api, storage, org, clock } = setting;
    // A segment has room for 48 KiB. With rows of another length there is always one that it has no room for.
    const from = { address: "2001:db8:85a3:8d3:1319:8a2e:370:7348", userAgent: "Browser ".repeat(10) };
    for (const length of [0, 30, 60]) {
      await fill(setting, 300, { from: { ...from, userAgent: from.userAgent.slice(length) } });
      clock.forward(MINUTE);
      await api.maintain();
      expect((await entries(storage, org, under.rows)).length).toBeLessThan(256);
    }
    clock.forward(HOUR);
    await api.maintain();
    expect(await entries(storage, org, under.rows)).toHaveLength(0);
    const segments = await entries(storage, org, under.segments);
    const sizes = segments.map(({ value }) => JSON.stringify((value as { lines: Json[] }).lines).length);
    expect(sizes.length).toBeGreaterThan(3);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(48 * 1024 + 10);
    expect(await api.verifyAudit({ organization: org })).toMatchObject({ problems: [] });
  });

  test("a log of any length lists all events that match a filter, in order, in both directions", async () => {
    const setting = await setUp(memoryStorage());
    const { api, clock, ids, storage, org } = setting;
    const thing = { things: [{ type: "space", id: "spc_wanted" }] };
    // More segments than there are summaries read together.
    for (let i = 0; i < 5; i++) {
      await fill(setting, 999);
      await fill(setting, 1, { actor: { type: "user", id: ids.read }, ...thing });
    }
    clock.forward(HOUR);
    await api.maintain();
    await fill(setting, 1, { actor: { type: "user", id: ids.read }, ...thing });
    expect((await entries(storage, org, under.segments)).length).toBeGreaterThan(17);
    const newest = await listed(setting, "thing=spc_wanted&limit=2");
    expect(newest).toHaveLength(6);
    expect(newest.map(({ createdAt }) => createdAt)).toEqual(
      newest
        .map(({ createdAt }) => createdAt)
        .sort()
        .reverse(),
    );
    expect(await listed(setting, "thing=spc_wanted&limit=2&order=asc")).toEqual(newest.toReversed());
    const lines = await exportOf(setting, "?thing=spc_wanted");
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(newest.map(({ id }) => id).reverse());
    const own = (await setting.ask("read", "GET /v1/user/export")).body as string;
    const told = own
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Event);
    expect(told.flatMap(({ id, things }) => (things?.[0]?.id === "spc_wanted" ? [id] : []))).toEqual(
      newest.map(({ id }) => id).reverse(),
    );
  });

  test("a user's activity is the same while the log is sealed and pruned", async () => {
    const setting = await setUp(memoryStorage(), { audit: { keepDays: 30 } });
    const { api, ask, clock, ids, storage, tokens } = setting;
    const told = (asking: Setting["ask"]) => async () => {
      const { body } = await asking("read", "GET /v1/user/export");
      return (body as string)
        .split("\n")
        .filter((line) => line.includes("spc_wanted"))
        .map((line) => JSON.parse(line).id as string);
    };
    const own = told(ask);
    const fresh = () => told((as, route) => open(storage, { now: () => clock.now }).askWith(as && tokens[as], route))();
    const mine = { actor: { type: "user", id: ids.read }, things: [{ type: "space", id: "spc_wanted" }] };
    for (let i = 1; i <= 3; i++) {
      await fill(setting, 1, mine);
      await fill(setting, 300);
      expect(await own()).toHaveLength(i);
      clock.forward(HOUR);
      await api.maintain();
      expect(await own()).toHaveLength(i);
      await fill(setting, 10);
      expect(await own()).toEqual(await fresh());
    }
    // What is older than it is kept is gone.
    clock.forward(31 * DAY);
    await fill(setting, 1, mine);
    for (let i = 0; i < 3; i++) {
      clock.forward(HOUR);
      await api.maintain();
    }
    expect(await own()).toHaveLength(1);
    expect(await own()).toEqual(await fresh());
  });

  test("a page of a list continues although its rows were sealed meanwhile", async () => {
    const setting = await setUp(memoryStorage());
    const { api, org, ask, clock } = setting;
    await write(setting, 6);
    const all = await listed(setting, "limit=1000");
    for (const order of ["desc", "asc"]) {
      await write(setting, 3);
      const now = await listed(setting, `limit=1000&order=${order}`);
      const first = (await ask("admin", `GET /v1/orgs/${org}/audit-events?limit=5&order=${order}`)).body;
      clock.forward(HOUR);
      await api.maintain();
      const rest = (
        await ask("admin", `GET /v1/orgs/${org}/audit-events?limit=1000&order=${order}&page=${first.next.page}`)
      ).body;
      expect([...first.items, ...rest.items]).toEqual(now);
    }
    expect(all.length).toBeGreaterThan(6);
  });

  test("events beyond their retention are removed, and the rest is still a chain", async () => {
    const setting = await setUp(memoryStorage(), { audit: { keepDays: 30 } });
    const { api, org, storage, clock } = setting;
    await fill(setting, 260);
    clock.forward(HOUR);
    await api.maintain();
    const { hash } = await api.verifyAudit({ organization: org });
    clock.forward(20 * DAY);
    await fill(setting, 260);
    clock.forward(HOUR);
    await api.maintain();
    const before = await listed(setting, "limit=1000");
    expect(await entries(storage, org, under.segments)).toHaveLength(3);
    expect((await api.verifyAudit({ organization: org, hash })).problems).toEqual([]);
    clock.forward(11 * DAY);
    await api.maintain();
    expect(await entries(storage, org, under.segments)).toHaveLength(2);
    const after = await listed(setting, "limit=1000");
    expect(after).toEqual(before.slice(0, after.length));
    expect(after.length).toBe(before.length - 256);
    expect((await setting.ask("admin", `GET /v1/orgs/${org}/audit-events?limit=1`)).body.count).toBe(after.length);
    expect(await api.verifyAudit({ organization: org })).toMatchObject({ events: after.length, problems: [] });
    expect((await api.verifyAudit({ lines: await exportOf(setting) })).problems).toEqual([]);
    clock.forward(40 * DAY);
    await api.maintain();
    expect(await entries(storage, org, under.segments)).toHaveLength(0);
    await write(setting, 2);
    expect(await api.verifyAudit({ organization: org })).toMatchObject({ events: 2, problems: [] });
  });

  test("audit events never make two writes conflict", async () => {
    const { api, ask, org } = await setUp(memoryStorage());
    const { retries } = api.metrics();
    const teams = await Promise.all(
      Array.from({ length: 20 }, (_, i) => ask("admin", `PUT /v1/orgs/${org}/teams`, { title: `Team ${i}` })),
    );
    expect(teams.every(({ status }) => status < 300)).toBe(true);
    expect(api.metrics().retries).toBe(retries);
    expect((await ask("admin", `GET /v1/orgs/${org}/audit-events?action=createTeam`)).body.count).toBe(20);
  });

  test("a user's log has their events once per organization, even when the job runs again", async () => {
    const { api, ask, org, otherOrg, ids, clock, storage } = await setUp(memoryStorage());
    await ask("edit", "POST /v1/user/tokens", { label: "Laptop" });
    const query = `audit-events?action=createToken&actor=${ids.edit}`;
    const { items } = (await ask("admin", `GET /v1/orgs/${org}/${query}`)).body;
    expect(items).toMatchObject([{ made: [{ type: "token" }], changes: [{ field: "label" }] }]);
    expect((await ask("rival", `GET /v1/orgs/${otherOrg}/${query}`)).body.count).toBe(0);
    expect((await api.verifyAudit({})).problems).toEqual([]);
    // The job is there again after its event was sealed.
    clock.forward(HOUR);
    await api.maintain();
    const time = Date.parse(items[0].createdAt);
    const payload = { user: ids.edit, time, chance: items[0].id.slice(-16), row: `createToken|${ids.edit}||201` };
    const job = { step: "carry-audit-event", payload, createdAt: 0, attempts: 1 };
    await storage
      .partition("directory")
      .commit({ checks: [], puts: [{ key: encodeKey("job", 1, "job_x"), value: job }], deletes: [], adds: [] });
    expect((await api.maintain()).jobs).toBe(1);
    expect((await ask("admin", `GET /v1/orgs/${org}/${query}`)).body.count).toBe(1);
  });

  test("the first use of a token from a new network is recorded", async () => {
    const setting = await setUp(memoryStorage());
    let address: string | undefined;
    const { askWith, clock } = open(setting.storage, { random: seeded(9), clientAddress: () => address });
    clock.now = setting.clock.now;
    const use = async (from: string | undefined) => {
      clock.forward(MINUTE);
      address = from;
      await askWith(setting.tokens.edit, "GET /v1/user");
      await askWith(setting.tokens.edit, "GET /v1/user");
    };
    for (const from of [undefined, "203.0.113.7", "203.0.113.99", "2001:db8:1::5", "2001:db8:1:7::", "::1"])
      await use(from);
    for (const from of ["203.0.113.1", "::ffff:198.51.100.1", "::1", "no address"]) await use(from);
    const { org, ids } = setting;
    const query = `audit-events?order=asc&action=tokenUsedFromNewPlace&actor=${ids.edit}`;
    const { items } = (await askWith(setting.tokens.admin, `GET /v1/orgs/${org}/${query}`)).body;
    expect(items.map(({ from }: { from: { address: string } }) => from.address)).toEqual([
      "203.0.113.7",
      "2001:db8:1::5",
      "::1",
      "::ffff:198.51.100.1",
    ]);
    expect(items[0]).toMatchObject({ credential: { type: "token" }, things: [items[0].credential] });
  });

  test("refusals cannot flood the log", async () => {
    const { ask, org, ids } = await setUp(memoryStorage());
    const teams: string[] = [];
    for (let i = 0; i < 25; i++)
      teams.push((await ask("admin", `PUT /v1/orgs/${org}/teams`, { title: `T${i}` })).body.id);
    for (const team of teams) expect((await ask("edit", `DELETE /v1/orgs/${org}/teams/${team}`)).status).toBe(403);
    const query = `audit-events?action=refused&actor=${ids.edit}`;
    expect((await ask("admin", `GET /v1/orgs/${org}/${query}`)).body.count).toBe(20);
  });

  test("a token with too few scopes is recorded in the organizations of its user and no others", async () => {
    const { ask, askWith, org, otherOrg } = await setUp(memoryStorage());
    const { token } = (await ask("admin", "POST /v1/user/tokens", { label: "a", scopes: ["teams:read"] })).body;
    expect((await askWith(token, `PATCH /v1/orgs/${otherOrg}`, { title: "Taken" })).status).toBe(403);
    const query = "audit-events?action=refused";
    expect((await ask("admin", `GET /v1/orgs/${org}/${query}`)).body.items).toMatchObject([
      { operation: "updateOrganization", credential: { type: "token" } },
    ]);
    expect((await ask("rival", `GET /v1/orgs/${otherOrg}/${query}`)).body.count).toBe(0);
  });
});

describe("verifyAudit", () => {
  let copy: () => Storage;
  let setting: Setting;
  let lines: string[];
  beforeAll(async () => {
    const storage = memoryStorage();
    setting = await setUp(storage);
    await fill(setting, 280);
    setting.clock.forward(HOUR);
    await setting.api.maintain();
    await write(setting, 4);
    copy = copierOf(storage);
    lines = await exportOf(setting);
  });

  const check = async (forged: (storage: Storage) => Promise<unknown>, hash?: string) => {
    const storage = copy();
    await forged(storage);
    const { api, clock } = open(storage);
    clock.now = setting.clock.now;
    const { problems } = await api.verifyAudit({ organization: setting.org, ...(hash === undefined ? {} : { hash }) });
    return problems.join(" ");
  };
  type Stored = { sequence: number; before: string; lines: string[] };
  /** Changes a stored segment. */
  const inSegment = (n: number, change: (lines: string[]) => string[]) => async (storage: Storage) => {
    const entry = (await entries(storage, setting.org, under.segments))[n]!;
    const segment = entry.value as unknown as Stored;
    await forge(storage, setting.org, [
      { key: entry.key, value: { ...segment, lines: change(segment.lines) } as never },
    ]);
  };

  test("verifyAudit finds no problems in an unchanged log", async () => {
    expect(await check(async () => {})).toBe("");
    expect((await setting.api.verifyAudit({ lines })).problems).toEqual([]);
  });

  test.each<[string, (lines: string[]) => string[]]>([
    ["a changed line", (all) => all.with(3, all[3]!.replace(/usr_\w+/, "usr_0000000000000000"))],
    ["a changed time", (all) => all.with(3, all[3]!.replace(/\|\d+\|/, "|1|"))],
    ["a missing line", (all) => all.toSpliced(3, 1)],
    ["lines in another order", (all) => all.with(3, all[4]!).with(4, all[3]!)],
    ["an inserted line", (all) => all.toSpliced(3, 0, all[5]!)],
  ])("verifyAudit finds %s in the chain", async (_, change) => {
    expect(await check(inSegment(0, change))).toContain("The chain is broken before the event number 256.");
    expect(await check(inSegment(1, change))).toContain("The chain does not end as it should");
  });

  test("verifyAudit finds a missing or extra segment", async () => {
    const [first, second] = await entries(setting.storage, setting.org, under.segments);
    expect(await check((storage) => forge(storage, setting.org, [], [first!.key]))).toContain(
      "number 0 on are missing",
    );
    const beyond = { key: under.segments + encodeKey(2), value: second!.value };
    expect(await check((storage) => forge(storage, setting.org, [beyond]))).toContain("behind the end of the chain");
  });

  test("verifyAudit finds a chain end made without the secret", async () => {
    const [head] = await entries(setting.storage, setting.org, under.head);
    const value = head!.value as { start: object; end: object; mac: string };
    const forged = { ...value, start: { segment: 0, sequence: 1, hash: "" } };
    expect(
      await check((storage) => forge(storage, setting.org, [{ key: under.head, value: forged as Json }])),
    ).toContain("The end of the chain was changed.");
  });

  test("verifyAudit finds a log reset to an earlier state, by a saved hash", async () => {
    const { hash } = await setting.api.verifyAudit({ organization: setting.org });
    expect(await check(async () => {}, hash)).toBe("");
    expect(await check(async () => {}, "0".repeat(64))).toContain("does not have the hash of the earlier check");
  });

  test("verifyAudit finds a changed, missing or inserted row, before and after it is sealed", async () => {
    const rows = await entries(setting.storage, setting.org, under.rows);
    expect(rows).toHaveLength(4);
    const changed = [{ key: rows[1]!.key, value: (rows[1]!.value as string).replace("|200", "|204") }];
    expect(await check((storage) => forge(storage, setting.org, changed))).toContain("was changed, or put in");
    const nonsense = [{ key: rows[1]!.key, value: { a: 1 } }];
    expect(await check((storage) => forge(storage, setting.org, nonsense))).toContain("was changed, or put in");
    expect(await check((storage) => forge(storage, setting.org, [], [rows[1]!.key]))).toContain(
      "1 of the newest events are missing.",
    );
    const copied = [{ key: under.rows + encodeKey(5, "0123456789abcdef"), value: rows[1]!.value }];
    expect(await check((storage) => forge(storage, setting.org, copied))).toContain("1 events more than were written");
    for (const puts of [changed, nonsense]) {
      const errors: unknown[] = [];
      const sealed = await check(async (storage) => {
        await forge(storage, setting.org, puts as { key: string; value: Json }[]);
        const { api, clock } = open(storage, { onError: (error) => errors.push(error) });
        clock.now = new Date(setting.clock.now.getTime() + HOUR);
        await api.maintain();
        expect(await entries(storage, setting.org, under.rows)).toHaveLength(0);
      });
      expect(sealed).toContain("was changed before it was sealed");
      expect(errors.map(String)).toEqual([expect.stringContaining("has events that were changed")]);
    }
  });

  test.each<[string, (lines: string[]) => string[], string]>([
    ["a changed line", (all) => all.with(5, all[5]!.replace('"status":200', '"status":403')), "Line 6 was changed."],
    ["a changed hash", (all) => all.with(5, all[5]!.replace(/"hash":"./, '"hash":"z')), "Line 6 was changed."],
    ["a missing line", (all) => all.toSpliced(5, 1), "Line 6 does not follow"],
    ["lines in another order", (all) => all.with(5, all[6]!).with(6, all[5]!), "Line 6 does not follow"],
    ["an inserted line", (all) => all.toSpliced(5, 0, all[2]!), "Line 6 does not follow"],
    ["a line that is none", (all) => all.with(5, "{}"), "Line 6 is not an event."],
    ["a changed line that was not sealed", (all) => all.with(-1, all.at(-1)!.replace('"ai"', '"io"')), "was changed."],
  ])("verifyAudit finds %s in an export", async (_, change, says) => {
    expect((await setting.api.verifyAudit({ lines: change(lines) })).problems.join(" ")).toContain(says);
  });

  test("verifyAudit finds a truncated export, by a saved hash", async () => {
    const { hash } = JSON.parse(lines.at(-1)!);
    expect((await setting.api.verifyAudit({ lines, hash })).problems).toEqual([]);
    expect((await setting.api.verifyAudit({ lines: lines.slice(0, -1), hash })).problems).toHaveLength(1);
  });
});

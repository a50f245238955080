// A transfer with writers beside it. The storage is stopped, or a writer comes in between, at every one of its calls; and
// tasks run in orders that seeds decide, some of them killed. Afterwards maintain() has brought everything to one side, a
// recount of the whole storage finds nothing that does not agree, and nothing that was acknowledged is lost.

import type { Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { encodeKey } from "../../../src/storage/key";
import type { Json } from "../../../src/storage/storage";
import { copierOf, type Fault, watch } from "../../invariants/faults";
import { interleave } from "../../storage/interleave";
import { HOUR, open, type Person, type Setting, seeded, setUp } from "../../support/setting";
import { isLongRun } from "../../support/test-length";
import { through } from "../../support/through";
import { startAgain } from "../service/given-up";
import { recount } from "./recount";

interface Stage {
  readonly copy: () => Storage;
  readonly setting: Setting;
  readonly space: string;
  readonly collection: string;
  readonly inner: string;
  readonly comments: readonly string[];
  readonly changeRequest: string;
  readonly team: string;
}

/** An organization with a space in a collection and one at the top, with all that can be inside, and another organization. */
async function makeStage(): Promise<Stage> {
  const storage = memoryStorage();
  const setting = await setUp(storage);
  const { ask, org, otherOrg, ids } = setting;
  const made = async (as: Person, route: string, send?: unknown) => {
    const answer = await ask(as, route, send);
    if (answer.status >= 300) throw new Error(`${route}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const door = (await made("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "admin" })).id;
  await made("admin", `POST /v1/orgs/${otherOrg}/invites/${door}`);
  const collection = (await made("admin", `POST /v1/orgs/${org}/collections`, { title: "Outer" })).id;
  const inner = (await made("admin", `POST /v1/orgs/${org}/spaces`, { title: "Inner", parent: collection })).id;
  const space = (await made("admin", `POST /v1/orgs/${org}/spaces`, { title: "Space" })).id;
  const team = (await made("admin", `PUT /v1/orgs/${org}/teams`, { title: "Writers" })).id;
  for (const id of [space, inner]) {
    const page = { operation: "insert_page", title: "Home", document: { markdown: "Hello." } };
    await made("admin", `POST /v1/spaces/${id}/content`, { changes: [page] });
  }
  await made("admin", `POST /v1/spaces/${space}/permissions`, {
    users: [{ id: ids.admin, role: "edit" }],
    teams: [{ id: team, role: "edit" }],
  });
  const comments: string[] = [];
  for (const markdown of ["one", "two", "three"])
    comments.push((await made("admin", `POST /v1/spaces/${space}/comments`, { body: { markdown } })).id);
  await made("admin", `POST /v1/spaces/${space}/comments/${comments[0]}/replies`, { body: { markdown: "so" } });
  const changeRequest = (await made("admin", `POST /v1/spaces/${space}/change-requests`, { subject: "More" })).id;
  const at = `/v1/spaces/${space}/change-requests/${changeRequest}`;
  await made("admin", `POST ${at}/comments`, { body: { markdown: "on it" } });
  return { copy: copierOf(storage), setting, space, collection, inner, comments, changeRequest, team };
}

type Ask = (route: string, send?: unknown) => Promise<{ readonly status: number; readonly body: Found }>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Found = any;

/** What is known to hold, by those who heard of it. */
class Known {
  readonly comments = new Map<string, "there" | "gone" | "unknown">();
  readonly pages = new Set<string>();
  readonly proposals = new Set<string>();
  /** Somebody may have put the space into the trash, or what it was moved into. */
  isDeleted = false;
  statuses: number[] = [];
}

type Writer = (ask: Ask, stage: Stage, known: Known) => Promise<void>;

/** Somebody does something, and writes down what they were told. */
const writers: Record<string, Writer> = {
  async "posts a comment"(ask, { space }, known) {
    const { status, body } = await ask(`POST /v1/spaces/${space}/comments`, { body: { markdown: "more" } });
    known.statuses.push(status);
    if (status < 300) known.comments.set(body.id, "there");
  },
  async "deletes a comment"(ask, { space, comments }, known) {
    known.comments.set(comments[0]!, "unknown");
    const { status } = await ask(`DELETE /v1/spaces/${space}/comments/${comments[0]}`);
    known.statuses.push(status);
    if (status < 300) known.comments.set(comments[0]!, "gone");
  },
  async "resolves a comment"(ask, { space, comments }, known) {
    const { status } = await ask(`PUT /v1/spaces/${space}/comments/${comments[1]}`, { resolved: true });
    known.statuses.push(status);
  },
  async "writes a page"(ask, { space }, known) {
    const title = `Page ${known.pages.size + 1}`;
    const changes = [{ operation: "insert_page", title, document: { markdown: "Text." } }];
    const { status } = await ask(`POST /v1/spaces/${space}/content`, { changes });
    known.statuses.push(status);
    if (status < 300) known.pages.add(title);
  },
  async "proposes a change"(ask, { space }, known) {
    const { status, body } = await ask(`POST /v1/spaces/${space}/change-requests`, { subject: "Another" });
    known.statuses.push(status);
    if (status < 300) known.proposals.add(body.id);
  },
  async "comments on a change request"(ask, { space, changeRequest }, known) {
    const at = `/v1/spaces/${space}/change-requests/${changeRequest}`;
    known.statuses.push((await ask(`POST ${at}/comments`, { body: { markdown: "and" } })).status);
  },
  async "moves it into the collection"(ask, { space, collection }, known) {
    known.statuses.push((await ask(`POST /v1/spaces/${space}/move`, { parent: collection })).status);
  },
  async "renames it"(ask, { space }, known) {
    known.statuses.push((await ask(`PATCH /v1/spaces/${space}`, { title: "Renamed" })).status);
  },
  async "deletes it"(ask, { space }, known) {
    known.isDeleted = true;
    known.statuses.push((await ask(`DELETE /v1/spaces/${space}`)).status);
  },
  async "transfers it"(ask, { space, setting }, known) {
    const { status } = await ask(`POST /v1/spaces/${space}/transfer`, { organization: setting.otherOrg });
    known.statuses.push(status);
  },
  async "transfers it back"(ask, { space, setting }, known) {
    const { status } = await ask(`POST /v1/spaces/${space}/transfer`, { organization: setting.org });
    known.statuses.push(status);
  },
  async "transfers the collection"(ask, { collection, setting }, known) {
    const { status } = await ask(`POST /v1/collections/${collection}/transfer`, { organization: setting.otherOrg });
    known.statuses.push(status);
  },
  async "transfers the collection back"(ask, { collection, setting }, known) {
    const { status } = await ask(`POST /v1/collections/${collection}/transfer`, { organization: setting.org });
    known.statuses.push(status);
  },
  async "takes the space out of the collection"(ask, { inner }, known) {
    known.statuses.push((await ask(`POST /v1/spaces/${inner}/move`, { parent: null })).status);
  },
  async "transfers the space in the collection"(ask, { inner, setting }, known) {
    const { status } = await ask(`POST /v1/spaces/${inner}/transfer`, { organization: setting.otherOrg });
    known.statuses.push(status);
  },
  async "deletes the collection"(ask, { collection }, known) {
    known.isDeleted = true;
    known.statuses.push((await ask(`DELETE /v1/collections/${collection}`)).status);
  },
};

/** An API on a storage, as the admin of both organizations uses it. */
function openFor(storage: Storage, { setting }: Stage, seed: number, ahead = 0) {
  const { api, askWith, clock } = open(storage, { onError: () => {}, random: seeded(seed) });
  clock.now = new Date(setting.clock.now.getTime() + ahead);
  const ask: Ask = (route, send) => askWith(setting.tokens.admin, route, send);
  return { api, ask, clock };
}

/** What maintain() and a recount find in the end. */
async function wrongIn(storage: Storage, stage: Stage, known: Known): Promise<string[]> {
  const { space, inner, setting } = stage;
  const { api, ask, clock } = openFor(storage, stage, 99, 3 * HOUR);
  for (let round = 0; round < 3; round++) {
    clock.forward(2 * HOUR);
    await api.maintain();
    await startAgain(ask, [setting.org, setting.otherOrg]);
  }
  const wrong = await recount(storage);
  for (const status of known.statuses) if (status >= 500 && status !== 503) wrong.push(`somebody was told ${status}`);
  const lists = new Map<string, string[]>();
  for (const organization of [setting.org, setting.otherOrg]) {
    const { body } = await ask(`GET /v1/orgs/${organization}/spaces`);
    const ids: string[] = body.items.map(({ id }: { id: string }) => id);
    lists.set(organization, ids);
    if (body.count !== ids.length) wrong.push(`${body.count} spaces are said to be in a list of ${ids.length}`);
  }
  for (const id of [space, inner]) {
    const { status, body } = await ask(`GET /v1/spaces/${id}`);
    if (status !== 200) wrong.push(`${id} is answered with ${status}`);
    const listed = [...lists].filter(([, ids]) => ids.includes(id)).map(([organization]) => organization);
    const wanted = body.deletedAt === undefined ? [body.organization] : [];
    if (JSON.stringify(listed) !== JSON.stringify(wanted)) wrong.push(`${id} is listed in ${JSON.stringify(listed)}`);
  }
  const { body } = await ask(`GET /v1/spaces/${space}`);
  if (body.deletedAt !== undefined) {
    if (!known.isDeleted) wrong.push("the space is in the trash, and nobody deleted it");
    return wrong;
  }
  const said = (await ask(`GET /v1/spaces/${space}/comments?limit=100`)).body;
  const there: string[] = said.items.map(({ id }: { id: string }) => id);
  if (said.count !== there.length) wrong.push(`${said.count} comments are said to be in a list of ${there.length}`);
  for (const id of stage.comments) if (!known.comments.has(id)) known.comments.set(id, "there");
  for (const [id, state] of known.comments)
    if (state !== "unknown" && there.includes(id) !== (state === "there"))
      wrong.push(`the comment ${id} is not ${state}`);
  const pages = JSON.stringify((await ask(`GET /v1/spaces/${space}/content/pages`)).body);
  for (const title of ["Home", ...known.pages]) if (!pages.includes(`"${title}"`)) wrong.push(`${title} is lost`);
  for (const id of [stage.changeRequest, ...known.proposals]) {
    const { status } = await ask(`GET /v1/spaces/${space}/change-requests/${id}`);
    if (status !== 200) wrong.push(`the change request ${id} is answered with ${status}`);
  }
  return wrong;
}

/** The storage with something done before the call with a certain number. */
function interrupt(inner: Storage, at: number, run: () => Promise<void>): Storage & { calls: number } {
  const counted = { calls: 0 };
  const step = async <Result>(go: () => Promise<Result>) => {
    if (++counted.calls === at) await run();
    return go();
  };
  return Object.assign(counted, through(inner, { snapshot: step, commit: (_, go) => step(go) }));
}

const transfers: [string, Writer][] = [
  ["a space", writers["transfers it"]!],
  ["a collection", writers["transfers the collection"]!],
];

/** Who may get into the way of which transfer. */
const beside: [thing: string, writer: string, transfer: Writer, offset: number][] = transfers.flatMap(
  ([thing, transfer]) =>
    Object.keys(writers)
      .filter((writer) => (thing === "a space" ? !writer.includes("the space") : !/comment|page|renames/.test(writer)))
      .map((writer, i) => [thing, writer, transfer, i] as [string, string, Writer, number]),
);

// A short run takes every so many calls, each writer others; a long run all of them, and more orders of steps.
const every = isLongRun ? 1 : 150;
/** What has gone wrong before is looked at more closely. */
const closely = Math.ceil(every / 3);
const seeds = isLongRun ? 400 : 4;
const stage = await makeStage();

describe.each(beside)("a transfer of %s while a person may %s", (_, writer, transfer, offset) => {
  const write = writers[writer]!;
  const stride = writer === "deletes the collection" ? closely : every;

  test("a request before any storage call of the transfer leaves everything consistent", async () => {
    for (let at = 1 + ((7 * offset) % stride); ; at += stride) {
      const storage = stage.copy();
      const known = new Known();
      const other = openFor(storage, stage, 2);
      const interrupted = interrupt(storage, at, () => write(other.ask, stage, known));
      await transfer(openFor(interrupted, stage, 3).ask, stage, known);
      expect(await wrongIn(storage, stage, known), `before call ${at}`).toEqual([]);
      if (interrupted.calls < at) break;
    }
  });

  test("a request after the process ended at any call leaves everything consistent", async () => {
    for (const [i, fault] of (["crash", "answer lost"] as Fault[]).entries()) {
      for (let at = 1 + ((7 * offset + 3 * i) % stride); ; at += stride) {
        const storage = stage.copy();
        const known = new Known();
        const watched = watch(storage);
        watched.failAt(at, fault);
        await transfer(openFor(watched, stage, 3).ask, stage, new Known());
        await write(openFor(storage, stage, 2).ask, stage, known);
        expect(await wrongIn(storage, stage, known), `${fault} at call ${at}`).toEqual([]);
        if (watched.calls.total < at) break;
      }
    }
  });
});

const journeys = [
  ["deletes a comment", "transfers it back"],
  ["transfers it back", "deletes a comment", "transfers it"],
  ["renames it", "transfers it back", "posts a comment", "transfers it"],
];

test.each(journeys.map((journey, i) => [journey.join(", "), journey, i] as const))(
  "after the process ends at a call of a transfer, a person may %s",
  async (_, journey, offset) => {
    for (let at = 1 + offset; ; at += closely) {
      const storage = stage.copy();
      const known = new Known();
      const watched = watch(storage);
      watched.failAt(at, "crash");
      await writers["transfers it"]!(openFor(watched, stage, 3).ask, stage, new Known());
      const { ask } = openFor(storage, stage, 2);
      for (const writer of journey) await writers[writer]!(ask, stage, known);
      expect(await wrongIn(storage, stage, known), `crash at call ${at}`).toEqual([]);
      if (watched.calls.total < at) break;
    }
  },
);

/** Several processes at work, one of them ahead of the others by two leases; some are killed. */
async function play(seed: number, see: (storage: Storage) => Storage = (storage) => storage): Promise<string[]> {
  const storage = stage.copy();
  const known = new Known();
  const random = seeded(seed);
  const tasks = interleave(see(storage), seed, { killOneIn: 400 });
  const names = Object.keys(writers);
  const pick = () => writers[names[random(1)[0]! % names.length]!]!;
  const writing = (task: number, first: Writer, times: number) => async () => {
    const { ask } = openFor(tasks.storageFor(task), stage, seed * 10 + task);
    await first(ask, stage, known);
    for (let i = 0; i < times; i++) await pick()(ask, stage, known);
  };
  const keeping = (task: number) => async () => {
    const { api, clock } = openFor(tasks.storageFor(task), stage, seed * 10 + task, 2 * HOUR);
    for (let i = 0; i < 3; i++) {
      await api.maintain();
      clock.forward(HOUR);
    }
  };
  const first = transfers[seed % 2]![1];
  await tasks.run([writing(0, first, 1), writing(1, pick(), 4), keeping(2)], async () => {});
  return wrongIn(storage, stage, known);
}

/** Orders of steps that once left something: a collection was called off while somebody still brought what is in it. */
const onceWrong = [91];

test("any order of steps with kills leaves everything consistent", async () => {
  for (const seed of onceWrong) expect(await play(seed), `seed ${seed}`).toEqual([]);
  for (let seed = 1; seed <= seeds; seed++) expect(await play(seed), `seed ${seed}`).toEqual([]);
});

/** A storage that applies every batch, whatever has changed since it was read. */
function careless(inner: Storage): Storage {
  return through(inner, { commit: (batch, _, name) => inner.partition(name).commit({ ...batch, checks: [] }) });
}

test("control: without version checks, the same orders leave something inconsistent", async () => {
  const found: string[] = [];
  for (let seed = 1; seed <= 40 && found.length === 0; seed++) found.push(...(await play(seed, careless)));
  expect(found).not.toEqual([]);
});

test("the consistency check finds a wrong total, an unlisted record and a resource in two places", async () => {
  const storage = stage.copy();
  expect(await recount(storage)).toEqual([]);
  const [here, there] = [stage.setting.org, stage.setting.otherOrg].map((it) =>
    storage.partition(`org-${it.slice(4)}`),
  );
  const put = (partition: typeof here, at: string, value: Json) =>
    partition!.commit({ checks: [], puts: [{ key: at, value }], deletes: [], adds: [] });
  const total = encodeKey("n", "comment", "all", stage.space, null);
  await put(here, total, 4);
  expect(await recount(storage)).toEqual([expect.stringContaining("says 4, 3 are listed")]);
  await put(here, total, 3);
  const listed = encodeKey("i", "comment", "all", stage.space, null);
  const [row] = await (await here!.snapshot()).list({ under: listed, limit: 1 });
  await here!.commit({ checks: [], puts: [], deletes: [row!.key], adds: [] });
  expect((await recount(storage)).join()).toContain("records of comment");
  const [node] = await (await here!.snapshot()).get([encodeKey("r", "node", stage.space)]);
  await put(there, node!.key, node!.value);
  expect((await recount(storage)).join()).toContain(`${stage.space} is in `);
});

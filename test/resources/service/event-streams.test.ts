// Streams that stay open: who hears of what, how a reader goes on after a break, and how a stream ends.

import type { DocsApi, Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getApiInternals } from "../../../src/api/internals";
import { readHead } from "../../../src/audit/chain";
import { createEventStreams } from "../../../src/events/event-streams";
import type { ChangedEvent, StreamedEvent } from "../../../src/events/streamed-event";
import { endProgress, reportProgress } from "../../../src/jobs/progress";
import type { Actor } from "../../../src/operation/actor";
import { allOperations } from "../../../src/operations";
import { type SessionRecord, sessions } from "../../../src/resources/people/sessions/records";
import { DIRECTORY, getOrganizationPartition } from "../../../src/storage/ids";
import { sha256Hex } from "../../../src/utils/sha256";
import { HOUR, MINUTE, open, type Person, type Setting, setUp } from "../../support/setting";

let it: Setting;
const readers = new Set<Reading>();

/** A reader of a stream, which knows the id of what it was told last. */
class Reading {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #text = "";
  lastId = "";
  readonly waiting: StreamedEvent[] = [];

  constructor(readonly response: Response) {
    this.#reader = response.body!.getReader();
    readers.add(this);
  }

  /** The next event; undefined at the end of the stream. */
  async next(): Promise<StreamedEvent | undefined> {
    while (this.waiting.length === 0) {
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += new TextDecoder().decode(value);
      const blocks = this.#text.split("\n\n");
      this.#text = blocks.pop()!;
      for (const block of blocks) this.#take(block);
    }
    return this.waiting.shift();
  }

  #take(block: string): void {
    for (const line of block.split("\n")) {
      if (line.startsWith("id: ")) this.lastId = line.slice(4);
      if (line.startsWith("data: ")) this.waiting.push(JSON.parse(line.slice(6)));
    }
  }

  /** Every event until the stream ends. */
  async all(): Promise<StreamedEvent[]> {
    const events: StreamedEvent[] = [];
    for (let event = await this.next(); event; event = await this.next()) events.push(event);
    return events;
  }

  async leave(): Promise<void> {
    readers.delete(this);
    await this.#reader.cancel().catch(() => {});
  }
}

interface Listening {
  readonly api?: DocsApi;
  readonly org?: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

async function listen(as: Person | string, { api = it.api, org = it.org, query = "", headers = {} }: Listening = {}) {
  const token = as.includes("_") ? as : it.tokens[as as Person];
  const request = new Request(`http://test.invalid/v1/orgs/${org}/events${query}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  return new Reading(await api.fetch(request));
}

/** What somebody is told of what `act` does. */
async function told(as: Person, act: () => Promise<unknown>): Promise<StreamedEvent[]> {
  const { lastId } = await now(as);
  await act();
  return (await since(as, lastId)).slice(0, -1);
}

/** Where somebody is who begins now. */
async function now(as: Person): Promise<Reading> {
  const reading = await listen(as, { query: "?seconds=0" });
  await reading.all();
  return reading;
}

/** What somebody is told after a break, with the end. */
async function since(as: Person, id: string): Promise<StreamedEvent[]> {
  return (await listen(as, { query: `?seconds=0&after=${id}` })).all();
}

const actions = (events: readonly StreamedEvent[]) =>
  events.map((event) => (event as ChangedEvent).action ?? event.type);

/** Does something that must succeed, and gives the answer. */
async function done(as: Person, route: string, send?: unknown) {
  const { status, body } = await it.ask(as, route, send);
  expect(status, `${route}: ${JSON.stringify(body)}`).toBeLessThan(300);
  return body;
}

let space: string;
let hidden: string;

beforeAll(async () => {
  it = await setUp(memoryStorage());
  space = (await done("create", `POST /v1/orgs/${it.org}/spaces`, { title: "Open" })).id;
  hidden = (await done("admin", `POST /v1/orgs/${it.org}/spaces`, { title: "Hidden" })).id;
  await done("admin", `PATCH /v1/spaces/${hidden}`, { defaultLevel: null });
});

afterAll(async () => {
  for (const reading of readers) await reading.leave();
});

const page = (title: string) => ({ changes: [{ operation: "insert_page", title, document: { markdown: title } }] });

describe("delivered events", () => {
  test("a content event names the pages, space, revision and author, and never the content", async () => {
    const reading = await listen("read");
    const made = await done("edit", `POST /v1/spaces/${space}/content`, page("A word that is not told"));
    const event = (await reading.next()) as ChangedEvent;
    const pageId = made.changes[0].page.id;
    expect(event).toMatchObject({
      type: "changed",
      action: "changeContent",
      by: { type: "user", id: it.ids.edit },
      things: [{ type: "space", id: space }],
      made: [],
      content: { space, revision: made.revision, pages: [pageId] },
    });
    expect(JSON.stringify(event)).not.toContain("not told");
    await reading.leave();
  });

  test("a page event of a change request names its number, and its outcome is an event", async () => {
    const request = await done("edit", `POST /v1/spaces/${space}/change-requests`, { subject: "S" });
    const events = await told("read", async () => {
      const path = `/v1/spaces/${space}/change-requests/${request.number}`;
      await done("edit", `POST ${path}/content`, page("In it"));
      await done("review", `POST ${path}/merge`);
    });
    expect(events).toMatchObject([
      {
        action: "changeChangeRequestContent",
        things: [{ type: "space" }, { type: "change-request", id: request.id }],
        content: { space, changeRequest: request.id, pages: [expect.any(String)] },
      },
      {
        action: "mergeChangeRequest",
        by: { id: it.ids.review },
        content: { space, pages: [expect.any(String)] },
      },
    ]);
  });

  test("each listener gets exactly the events of what they may read", async () => {
    const site = (await done("admin", `POST /v1/orgs/${it.org}/sites`, { title: "Site" })).id;
    const collection = (await done("admin", `POST /v1/orgs/${it.org}/collections`, { title: "C" })).id;
    await done("admin", `PATCH /v1/collections/${collection}`, { defaultLevel: null });
    const positions = new Map<Person, string>();
    for (const person of ["admin", "read", "comment", "guest"] as const)
      positions.set(person, (await now(person)).lastId);
    await done("admin", `PATCH /v1/spaces/${hidden}`, { title: "Hidden still" });
    await done("admin", `POST /v1/spaces/${hidden}/content`, page("Hidden"));
    const comment = await done("comment", `POST /v1/spaces/${space}/comments`, { body: { markdown: "Hm." } });
    await done("comment", `DELETE /v1/spaces/${space}/comments/${comment.id}`);
    await done("admin", `PATCH /v1/collections/${collection}`, { title: "D" });
    await done("admin", `DELETE /v1/collections/${collection}`);
    const team = await done("admin", `PUT /v1/orgs/${it.org}/teams`, { title: "T" });
    await done("admin", `POST /v1/orgs/${it.org}/link-invites`, { role: "read" });
    const section = await done("admin", `POST /v1/orgs/${it.org}/sites/${site}/sections`, {
      spaceId: hidden,
      title: "Section",
    });
    await done("admin", `PATCH /v1/orgs/${it.org}`, { title: "Acme" });
    const heard = async (person: Person) => actions(await since(person, positions.get(person)!)).slice(0, -1);
    expect(await heard("admin")).toEqual([
      ...["updateSpace", "changeContent", "postCommentOnSpace", "deleteSpaceComment", "updateCollection"],
      ...["deleteCollection", "createTeam", "createLinkInvite", "createSiteSection", "updateOrganization"],
    ]);
    expect(await heard("read")).toEqual(["createTeam", "updateOrganization"]);
    expect(await heard("comment")).toEqual([
      ...["postCommentOnSpace", "deleteSpaceComment", "createTeam", "updateOrganization"],
    ]);
    expect(await heard("guest")).toEqual(["updateOrganization"]);
    expect([team.id, section.siteSection?.id ?? section.id]).toEqual([expect.any(String), expect.any(String)]);
  });

  test("a token receives the events that its scopes allow it to read", async () => {
    const scopes = ["events:read", "teams:read"];
    const reading = await listen((await done("admin", "POST /v1/user/tokens", { label: "scoped", scopes })).token);
    await done("admin", `POST /v1/spaces/${space}/content`, page("X"));
    await done("admin", `PUT /v1/orgs/${it.org}/teams`, { title: "U" });
    expect(await reading.next()).toMatchObject({ action: "createTeam" });
    await reading.leave();
  });

  test("progress is published to those who may read the resource, the last step at once", async () => {
    const { store } = getApiInternals(it.api).kernel;
    const at = store.now().getTime();
    const said = (spaceId: string, n: number) =>
      store.write(getOrganizationPartition(it.org), async (tx) =>
        reportProgress(tx, spaceId, { work: "import", params: { spaceId }, done: n, total: 4, step: "reading", at }),
      );
    const end = (spaceId: string) =>
      store.write(getOrganizationPartition(it.org), (tx) =>
        endProgress(tx, "import", spaceId, { status: "completed", at }),
      );
    const events = await told("read", async () => {
      await said(hidden, 1);
      await said(space, 1);
    });
    expect(events).toMatchObject([{ type: "progress", work: "import", status: "running", things: [{ id: space }] }]);
    const reading = await listen("read");
    for (const n of [2, 3]) await said(space, n);
    await end(space);
    const seen: number[] = [];
    for (;;) {
      const event = await reading.next();
      if (event?.type !== "progress") throw new Error(`Unexpected: ${JSON.stringify(event)}`);
      seen.push(event.progress.done);
      if (event.status === "completed") break;
    }
    expect(seen).toEqual(seen.toSorted());
    expect(seen.at(-1)).toBe(4);
    await reading.leave();
  });

  test("the outcome of a job is published with its final progress", async () => {
    const text = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths: {}\n';
    const events = await told("read", () =>
      done("create", `POST /v1/orgs/${it.org}/openapi`, { slug: "books", source: { text } }),
    );
    expect(events).toMatchObject([
      { type: "changed", action: "createOpenApiSpec" },
      {
        ...{ type: "progress", work: "openapi-spec", status: "completed" },
        things: [{ type: "open-api-spec", id: "books" }],
        progress: { done: 1, total: 1, step: "reading" },
      },
    ]);
    expect(await told("guest", () => done("create", `DELETE /v1/orgs/${it.org}/openapi/books`))).toEqual([]);
  });
});

describe("resuming", () => {
  test("a listener resumes after its last event, in order and without gaps, by query or header", async () => {
    const reading = await listen("admin");
    await done("admin", `PUT /v1/orgs/${it.org}/teams`, { title: "First" });
    await reading.next();
    await reading.leave();
    const titles = ["Second", "Third"];
    for (const title of titles) await done("admin", `PUT /v1/orgs/${it.org}/teams`, { title });
    const again = await listen("admin", { query: "?seconds=0", headers: { "last-event-id": reading.lastId } });
    expect(actions(await again.all())).toEqual(["createTeam", "createTeam", "end"]);
    expect(actions(await since("admin", again.lastId))).toEqual(["end"]);
    // A browser that connects again keeps its address. What the header says is newer.
    const headers = { "last-event-id": again.lastId };
    const both = await listen("admin", { query: `?seconds=0&after=${reading.lastId}`, headers });
    expect(actions(await both.all())).toEqual(["end"]);
  });

  test("events sealed meanwhile are delivered with their ids", async () => {
    it.clock.forward(2 * MINUTE);
    const { lastId } = await now("admin");
    await done("admin", `PUT /v1/orgs/${it.org}/teams`, { title: "Sealed" });
    const [before] = await since("admin", lastId);
    it.clock.forward(59 * MINUTE);
    await done("admin", `PUT /v1/orgs/${it.org}/teams`, { title: "Sealed too" });
    it.clock.forward(30_000);
    await it.api.maintain();
    const view = await getApiInternals(it.api).kernel.store.read(getOrganizationPartition(it.org));
    expect((await readHead(view)).end.sequence).toBeGreaterThan(0);
    const after = await since("admin", lastId);
    expect(actions(after)).toContain("createTeam");
    expect(after).toContainEqual(before);
  });

  test("after more than an hour, or with an id of another organization, a reset is sent", async () => {
    const { lastId } = await now("admin");
    it.clock.forward(HOUR + 1);
    expect(await since("admin", lastId)).toEqual([{ type: "reset" }, { type: "end", reason: "time" }]);
    const other = await listen("rival", { org: it.otherOrg, query: "?seconds=0" });
    await other.all();
    expect(actions(await since("admin", other.lastId))).toEqual(["reset", "end"]);
    expect(actions(await since("admin", "x"))).toEqual(["reset", "end"]);
  });

  test("ids reveal nothing: equal positions have different ids", async () => {
    expect((await now("guest")).lastId).not.toBe((await now("guest")).lastId);
  });
});

describe("delivery", () => {
  test("writes of another process are found by polling once for all listeners, and only if there are any", async () => {
    const looks = { directory: 0, organization: 0 };
    const counting: Storage = {
      ...it.storage,
      partition(name) {
        const partition = it.storage.partition(name);
        const snapshot = () => {
          if (name === "directory") looks.directory++;
          else looks.organization++;
          return partition.snapshot();
        };
        return { snapshot, commit: (batch) => partition.commit(batch) };
      },
    };
    const { api, clock } = open(counting, { events: { pollSeconds: 0.02 } });
    clock.now = it.clock.now;
    const readings = await Promise.all(["admin", "edit", "read"].map((person) => listen(person, { api })));
    await done("admin", `PUT /v1/orgs/${it.org}/teams`, { title: "Of another process" });
    for (const reading of readings) expect(await reading.next()).toMatchObject({ action: "createTeam" });
    for (const reading of readings) await reading.leave();
    const before = { ...looks };
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(looks).toEqual(before);
  });

  test("an idle stream sends heartbeats with advancing ids, and a slow listener is dropped and resumes later", async () => {
    const { kernel } = getApiInternals(it.api);
    const operations = new Map(allOperations().map((operation) => [operation.name, operation]));
    const refreshActor = async (actor: Actor) => actor;
    const limits = { heartbeatMs: 5, maxQueuedBytes: 600 };
    const streams = createEventStreams({ kernel, operations, refreshActor, limits });
    const user = { id: it.ids.admin, displayName: "", email: "" };
    const actor: Actor = { user, scopes: null, expiresAt: null, credentials: "" };
    const call = {
      organization: it.org,
      actor,
      originalRequest: undefined,
      lastEventId: undefined,
      durationSeconds: 3600,
    };
    const { body, headers } = await streams.open(call);
    expect(headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    // Beats fill what waits for a reader who does not read.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const text = await new Response(body as ReadableStream<Uint8Array>).text();
    const ids = text.match(/(?<=^id: ).*$/gm)!;
    expect(text.length).toBeLessThan(1000);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(2);
    expect(actions(await since("admin", ids.at(-1)!))).toEqual(["end"]);
  });
});

describe("ending", () => {
  test("a stream ends when its token is revoked or its member is removed", async () => {
    const made = await done("edit", "POST /v1/user/tokens", { label: "to be revoked" });
    const byToken = await listen(made.token);
    const member = await listen("comment");
    await done("edit", `DELETE /v1/user/tokens/${made.id}`);
    expect(await byToken.all()).toEqual([{ type: "end", reason: "signed-out" }]);
    await done("admin", `DELETE /v1/orgs/${it.org}/members/${it.ids.comment}`);
    expect((await member.all()).at(-1)).toEqual({ type: "end", reason: "no-access" });
  });

  test("a stream with a session ends likewise, and does not keep the session alive", async () => {
    const { kernel, cookie } = getApiInternals(it.api);
    const value = "0123456789abcdef0123456789abcdef";
    const at = it.clock.now.toISOString();
    const session: SessionRecord = {
      ...{ id: "ses_0123456789abcdef", hash: sha256Hex(value), user: it.ids.review, by: "link", passed: [] },
      ...{
        createdAt: at,
        seenAt: at,
        idleMs: HOUR,
        endsAt: new Date(it.clock.now.getTime() + 24 * HOUR).toISOString(),
      },
    };
    await kernel.store.write(DIRECTORY, (tx) => sessions.put(tx, session));
    const url = `http://test.invalid/v1/orgs/${it.org}/events`;
    const headers = { cookie: `${cookie.name}=${value}`, "sec-fetch-site": "same-origin" };
    const reading = new Reading(await it.api.fetch(new Request(url, { headers })));
    it.clock.forward(HOUR / 2);
    await done("admin", "POST /v1/user/tokens", { label: "a change of the directory" });
    await done("admin", `PUT /v1/orgs/${it.org}/teams`, { title: "For the session" });
    expect(await reading.next()).toMatchObject({ action: "createTeam" });
    it.clock.forward(HOUR / 2 + 1);
    await done("admin", "POST /v1/user/tokens", { label: "another" });
    expect(await reading.all()).toEqual([{ type: "end", reason: "signed-out" }]);
    expect((await it.api.fetch(new Request(url, { headers }))).status).toBe(401);
  });

  test("a disabled user receives no more events", async () => {
    const reading = await listen("create");
    await it.api.changeUser(it.ids.create, "disabled");
    expect((await reading.all()).at(-1)).toMatchObject({ type: "end" });
    await it.api.changeUser(it.ids.create, "enabled");
  });

  test("streams per user and in total are limited, and a closed one makes room", async () => {
    const { api, clock } = open(it.storage, { events: { maxStreams: 3, maxStreamsOfUser: 2 } });
    clock.now = it.clock.now;
    const own = [await listen("read", { api }), await listen("read", { api })];
    const refused = (await listen("read", { api })).response;
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "10"]);
    await own[0]!.leave();
    const another = await listen("read", { api });
    expect(another.response.status).toBe(200);
    expect((await listen("edit", { api })).response.status).toBe(200);
    expect((await listen("admin", { api })).response.status).toBe(429);
    api.endStreams();
    expect((await listen("admin", { api })).response.status).toBe(503);
    expect((await another.all()).at(-1)).toEqual({ type: "end", reason: "closing" });
  });
});

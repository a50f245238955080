// The integration of the examples from end to end: published, installed and configured as its README says, in a server that is
// a process, run in the sandbox, with a webhook that takes what it posts, refuses it, or sees the server die meanwhile.

import { expect, onTestFinished, test } from "vitest";
import { octavo, run, start } from "../cli/processes";
import { temporaryDirectory } from "../cli/temporary";
import { freePort } from "../support/listening";
import { until } from "../support/patience";
import { type Answer, serve } from "../translators/server";

const ADMIN_TOKEN = "an-operators-own-token";
const WEBHOOK_SECRET = "known-to-the-webhook-alone";
const files = "integrations/merge-summary";
const bot = "/integrations/merge-summary";
/** Long enough for three tries, the last of which comes after three seconds. */

interface Event {
  readonly id: string;
  readonly status: string;
  readonly isOpen: boolean;
  readonly attempts: readonly object[];
  readonly payload: { readonly type: string };
}

/** A server that may reach this machine, with nothing in it. */
const server = (environment: Record<string, string> = {}) =>
  start({ STORAGE: "memory", ADMIN_TOKEN, EGRESS_ALLOW: "127.0.0.1", ...environment });

/** What a test does with a server, as somebody with the admin's token. */
function adminOf({ ask, port }: Pick<Awaited<ReturnType<typeof start>>, "ask" | "port">) {
  const send = async (method: string, path: string, body?: object) => {
    const response = await ask(path, ADMIN_TOKEN, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
    const text = await response.text();
    return text === "" ? undefined : JSON.parse(text);
  };
  return {
    send,
    async publish(token: Record<string, string> = { OCTAVO_TOKEN: ADMIN_TOKEN }) {
      const published = octavo(["publish-integration", `examples/${files}`, "--secret-from", "WEBHOOK_SECRET"], {
        OCTAVO_URL: `http://127.0.0.1:${port}`,
        WEBHOOK_SECRET,
        ...token,
      });
      return { code: await published.exited, ...published.output };
    },
    /** Installs it for all spaces, with the address of a webhook; gives the path of the installation. */
    async install(webhook: string): Promise<string> {
      const organization = (await send("GET", "/orgs")).items[0].id;
      const { id, status } = await send("POST", `${bot}/installations`, { organization });
      expect(status).toBe("pending");
      const configuration = { webhook_url: `${webhook}/hook` };
      const path = `${bot}/installations/${id}`;
      expect(await send("PATCH", path, { configuration, space_selection: "all" })).toMatchObject({ status: "active" });
      return path;
    },
    async createSpace(): Promise<string> {
      const organization = (await send("GET", "/orgs")).items[0].id;
      return (await send("POST", `/orgs/${organization}/spaces`, { title: "Guide" })).id;
    },
    async merge(space: string, subject: string): Promise<{ id: string; revision: string }> {
      const { id } = await send("POST", `/spaces/${space}/change-requests`, { subject });
      const at = `/spaces/${space}/change-requests/${id}`;
      const changes = [{ operation: "insert_page", title: subject, document: { markdown: "Text." } }];
      await send("POST", `${at}/content`, { changes });
      const { result, revision } = await send("POST", `${at}/merge`);
      expect(result).toBe("merge");
      return { id, revision };
    },
    /** The records of merged change requests, the oldest first. */
    async merges(): Promise<Event[]> {
      const { items } = await send("GET", `${bot}/events`);
      return (items as Event[]).filter(({ payload }) => payload.type === "change_request_merged").reverse();
    },
    trace: async ({ id }: Event): Promise<string[]> =>
      (await send("GET", `${bot}/events/${id}`)).trace.logs.map(({ message }: { message: string }) => message),
  };
}

/** A webhook that answers as it is told; it takes what it was told nothing about. */
async function webhookThat(...answers: (Answer | Promise<Answer>)[]) {
  const webhook = await serve((_, number) => answers[number - 1] ?? { status: 200 });
  onTestFinished(() => webhook.close());
  const subjects = () => webhook.asked.map(({ body }) => body.changeRequest.subject);
  return { ...webhook, subjects };
}

test("the example posts a summary of each merged change request once and in order", async () => {
  const webhook = await webhookThat();
  const admin = adminOf(await server());
  expect(await admin.publish()).toEqual({ code: 0, stdout: "Published merge-summary, version 1.\n", stderr: "" });
  expect(await admin.publish({ OCTAVO_TOKEN: "not-the-admins-token" })).toMatchObject({ code: 1, stdout: "" });
  await admin.install(webhook.url);
  const space = await admin.createSpace();
  const first = await admin.merge(space, "First words");
  await admin.merge(space, "Second thoughts");
  // In order: whatever the first one led to has come when the second is there.
  await until(() => expect(webhook.subjects()).toContain("Second thoughts"));
  expect(webhook.subjects()).toEqual(["First words", "Second thoughts"]);

  const { id, displayName } = await admin.send("GET", "/user");
  const event = (await admin.merges())[0]!;
  expect(webhook.asked[0]).toMatchObject({
    method: "POST",
    path: "/hook",
    headers: { "x-webhook-secret": WEBHOOK_SECRET, "idempotency-key": event.id, "content-type": "application/json" },
  });
  expect(webhook.asked[0]!.body).toEqual({
    eventId: event.id,
    text: "#1 (First words) was merged into Guide: 1 page created.",
    space: { id: space, title: "Guide" },
    changeRequest: {
      id: first.id,
      number: 1,
      subject: "First words",
      url: expect.stringContaining(`/s/${space}/~/changes/1`),
    },
    author: displayName,
    mergedBy: id,
    mergedAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
    changes: ["page created: first-words"],
  });
  expect(event).toMatchObject({ status: "success", isOpen: false, attempts: [{ status: 200 }] });
  expect(event.payload).toMatchObject({ spaceId: space, changeRequestId: first.id, revisionId: first.revision });
  expect(await admin.trace(event)).toEqual(["The webhook took the summary of change request 1."]);
  // What it does not want it says so of, and that is no failure.
  const others = (await admin.send("GET", `${bot}/events`)).items as Event[];
  expect(others.find(({ payload }) => payload.type === "change_request_created")).toMatchObject({
    status: "success",
    attempts: [{ status: 406 }],
  });
});

test("a webhook that fails gets the summary after it recovers, before anything newer", async () => {
  const webhook = await webhookThat({ status: 500 }, { status: 410 });
  const admin = adminOf(await server());
  await admin.publish();
  await admin.install(webhook.url);
  const space = await admin.createSpace();
  await admin.merge(space, "First words");
  await until(async () => expect(await admin.merges()).toMatchObject([{ isOpen: true }]));
  const failed = (await admin.merges())[0]!;
  expect(failed).toMatchObject({ status: "failed", attempts: [{ status: 503 }] });
  expect(await admin.trace(failed)).toEqual(["The webhook answered with 500."]);
  await admin.merge(space, "Second thoughts");
  await until(() => expect(webhook.subjects()).toContain("Second thoughts"));
  expect(webhook.subjects()).toEqual(["First words", "First words", "First words", "Second thoughts"]);
  expect(new Set(webhook.asked.slice(0, 3).map(({ body }) => body.eventId))).toEqual(new Set([failed.id]));
  expect((await admin.merges())[0]).toMatchObject({
    status: "success",
    isOpen: false,
    attempts: [{ status: 503 }, { error: "Error: The webhook answered with 410." }, { status: 200 }],
  });
});

test("a server killed while it posts to the webhook posts again after its restart", async () => {
  const webhook = await webhookThat(new Promise(() => {}));
  const DATA_DIR = await temporaryDirectory();
  const first = await server({ STORAGE: "level", DATA_DIR });
  const before = adminOf(first);
  await before.publish();
  await before.install(webhook.url);
  await before.merge(await before.createSpace(), "First words");
  await until(() => expect(webhook.subjects()).toEqual(["First words"]));
  first.child.kill("SIGKILL");
  expect(await first.exited).toBe("SIGKILL");

  // Whoever delivers is left alone for a minute. Nobody waits for that here: the second process has a clock that is ahead.
  const second = await server({ STORAGE: "level", DATA_DIR, NODE_OPTIONS: `--import=${clockAhead(120_000)}` });
  await until(() => expect(webhook.subjects()).toEqual(["First words", "First words"]));
  const after = adminOf(second);
  await until(async () => expect(await after.merges()).toHaveLength(1));
  const event = (await after.merges())[0]!;
  expect(webhook.asked.map(({ body }) => body.eventId)).toEqual([event.id, event.id]);
  expect(event).toMatchObject({ status: "success", isOpen: false, attempts: [{ status: 200 }] });
});

/** A module that puts the clock of a process ahead. */
function clockAhead(ms: number): string {
  const code = `const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...given) { given.length === 0 ? super(Real.now() + ${ms}) : super(...given); }
      static now() { return Real.now() + ${ms}; }
    };`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

test("the example is developed on a local machine that receives the events until it stops", async () => {
  const webhook = await webhookThat();
  const admin = adminOf(await server());
  await admin.publish();
  await admin.install(webhook.url);
  const space = await admin.createSpace();
  const port = await freePort();
  const developed = run(`${files}/develop.mjs`, { PORT: String(port) });
  await developed.prints(/^Events are taken at/m);
  await admin.send("PUT", `${bot}/dev`, { tunnelUrl: `http://127.0.0.1:${port}` });
  await admin.merge(space, "First words");
  await developed.prints(/^The webhook took the summary of change request 1\.$/m);
  await admin.send("DELETE", `${bot}/dev`);
  await admin.merge(space, "Second thoughts");
  await until(async () => expect(await admin.merges()).toHaveLength(2));
  expect(webhook.subjects()).toEqual(["First words", "Second thoughts"]);
  const traces = await Promise.all((await admin.merges()).map(admin.trace));
  expect(traces).toEqual([[], ["The webhook took the summary of change request 2."]]);
  expect(developed.output.stdout).not.toContain("change request 2");
});

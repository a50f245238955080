// What every runtime is walked through, over HTTP: found, read, list page by page, collide, and be refused in every way
// that says the error shape.

import { expect } from "vitest";
import { ADMIN_TOKEN, type Served } from "./project";

/** Headers that say who is asking. */
type Credentials = Readonly<Record<string, string>>;
const admin: Credentials = { authorization: `Bearer ${ADMIN_TOKEN}` };

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the scenario looks into answers of every shape, and says what it expects.
  readonly body: any;
}

/** Walks a server through the scenario twice, with a restart in between that it must keep its data over. */
export async function walkOverARestart(start: () => Promise<Omit<Served, "printed">>): Promise<void> {
  const before = await start();
  const founded = await walk(before.origin);
  expect(await before.stop()).toBe(0);
  const after = await start();
  const kept = await asking(after.origin)(`GET /orgs/${founded.id}`);
  expect(kept).toMatchObject({ status: 200, body: { title: founded.title } });
  await walk(after.origin);
  expect(await after.stop()).toBe(0);
}

function asking(url: string, known = admin) {
  return async (route: string, body?: unknown, credentials = known): Promise<Reply> => {
    const [method, path] = route.split(" ") as [string, string];
    const headers = new Headers(credentials);
    if (body !== undefined) headers.set("content-type", "application/json");
    const sent = body === undefined ? null : JSON.stringify(body);
    const response = await fetch(`${url}/v1${path}`, { method, headers, body: sent });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
}

/** Walks a server through the scenario, and gives the organization that it has founded. `url` is where the API is. */
export async function walk(url: string, credentials = admin): Promise<{ readonly id: string; readonly title: string }> {
  const ask = asking(url, credentials);
  const refused = (reply: Reply, code: number, reason: string) => {
    expect(reply).toMatchObject({ status: code, body: { error: { code, reason, requestId: expect.any(String) } } });
    expect(reply.body.error.message).toMatch(/\.$/);
  };

  const founded = await ask("POST /orgs", { title: "Grüße, 世界" });
  expect(founded).toMatchObject({ status: 201, body: { object: "organization", title: "Grüße, 世界" } });
  const org = `/orgs/${founded.body.id}`;
  expect(founded.headers.get("location")).toMatch(new RegExp(`/v1${org}$`));

  const read = await ask(`GET ${org}`);
  expect(read).toMatchObject({ status: 200, body: founded.body });
  expect(read.headers.get("etag")).toMatch(/^(W\/)?".+"$/);

  const writers = await ask(`PUT ${org}/teams`, { title: "Writers" });
  const readers = await ask(`PUT ${org}/teams`, { title: "Readers" });
  expect([writers.status, readers.status]).toEqual([201, 201]);
  refused(await ask(`PUT ${org}/teams`, { title: "writers" }), 409, "title_taken");

  const first = await ask(`GET ${org}/teams?limit=1`);
  expect(first).toMatchObject({ status: 200, body: { items: [{}], count: 2, next: { page: expect.any(String) } } });
  const second = await ask(`GET ${org}/teams?limit=1&page=${encodeURIComponent(first.body.next.page)}`);
  expect(second).toMatchObject({ status: 200, body: { items: [{}], count: 2 } });
  expect(second.body.next).toBeUndefined();
  const listed = [first, second].map((page) => page.body.items[0].id);
  expect(listed.sort()).toEqual([writers.body.id, readers.body.id].sort());

  const space = await ask(`POST ${org}/spaces`, { title: "Guide" });
  const changes = [{ operation: "insert_page", title: "Start", document: { markdown: "Grüße.\n" } }];
  expect(await ask(`POST /spaces/${space.body.id}/content`, { changes })).toMatchObject({ status: 200 });
  const pdf = (await ask(`GET /spaces/${space.body.id}/pdf`)).body;
  const printed = await fetch(new URL(new URL(pdf.url).pathname, url));
  expect([printed.status, printed.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  expect((await printed.text()).slice(0, 8)).toBe("%PDF-1.7");

  // A reader who leaves a stream in the middle does not keep the server from ending.
  const leaving = new AbortController();
  const events = await fetch(`${url}/v1${org}/events`, { headers: credentials, signal: leaving.signal });
  expect([events.status, events.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  const chunks = events.body!.pipeThrough(new TextDecoderStream()).getReader();
  let heard = "";
  await ask(`PUT ${org}/teams`, { title: "Heard of" });
  while (!heard.includes("createTeam")) heard += (await chunks.read()).value ?? "the end createTeam";
  expect(heard).toMatch(/^id: \S+\ndata: \{"type":"changed",.*"action":"createTeam"/m);
  leaving.abort();
  await chunks.read().catch(() => {});

  const reference = await fetch(`${url}/v1/docs/operations/createTeam`);
  expect([reference.status, reference.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(await reference.text()).toContain("Admins of the organization.");

  const invalid = await ask("POST /orgs", { title: 7 });
  refused(invalid, 400, "invalid_request");
  expect(invalid.body.error.issues).toMatchObject([{ path: "body.title", message: expect.any(String) }]);
  const anonymous = await ask(`GET ${org}`, undefined, {});
  refused(anonymous, 401, "unauthorized");
  expect(anonymous.headers.get("www-authenticate")).toBe("Bearer");
  const unknown = { authorization: "Bearer a-token-that-nobody-has" };
  refused(await ask(`GET ${org}`, undefined, unknown), 401, "token_unknown");
  refused(await ask("GET /orgs/org_none"), 404, "organization_not_found");
  refused(await ask("GET /nowhere"), 404, "route_not_found");
  const wrong = await ask("DELETE /orgs");
  refused(wrong, 405, "method_not_allowed");
  expect(wrong.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS");
  return founded.body;
}

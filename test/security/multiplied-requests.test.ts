// Requests whose parts multiply: edits of a page that each repeat what the one before left, and changes of a directory that
// compare many values with many terms. They are refused before the work is done.

import { memoryStorage } from "octavo/memory";
import { beforeAll, describe, expect, test } from "vitest";
import { editPageTool } from "../../src/mcp/agents/edit-tools";
import { computePageVersion } from "../../src/mcp/agents/page-tools";
import { createSignIn } from "../../src/sign-in";
import { type Setting, setUp } from "../support/setting";

describe("edits by an agent", () => {
  const page = { id: "pag_1", title: "Page", path: "page", markdown: "abcabcabca", updatedAt: "2026-01-01T00:00:00Z" };

  /** Edits the page, and returns the answer with what was written. */
  async function edit(edits: readonly object[]) {
    const written: string[] = [];
    const ask = async (operation: string, { body }: { body?: { changes: { document: { markdown: string } }[] } }) => {
      if (operation === "getChangeRequest") return { value: { revision: "rev_1" } };
      if (operation === "getChangeRequestPage") return { value: page };
      written.push(body!.changes[0]!.document.markdown);
      return { value: {} };
    };
    const input = {
      space: "spc_1",
      changeRequest: "1",
      page: page.id,
      version: computePageVersion(page as never),
      edits,
    };
    const answer = await editPageTool.bind(ask as never).call(input as never);
    return { answer, written };
  }

  test("edits that multiply a page are rejected before the text is built", async () => {
    // Each edit makes the page about a thousand times as long.
    const tenfold = { find: "a", replace: "a".repeat(1_000), all: true };
    const { answer, written } = await edit(Array.from({ length: 50 }, () => tenfold));
    expect(answer).toMatchObject({ isError: true });
    expect(answer.text).toContain("`edits[1]` makes the page longer than 1048576 characters");
    expect(written).toEqual([]);
  });

  test("edits that shrink the page again count by their result", async () => {
    const { written } = await edit([
      { find: "abc", replace: "x".repeat(300_000), all: true },
      { find: "xxx", replace: "", all: true },
      { find: "a", replace: "b".repeat(1_000_000) },
    ]);
    expect(written).toEqual(["b".repeat(1_000_000)]);
  });

  test("edits that replace one piece with a huge one are rejected", async () => {
    const { answer } = await edit([
      { find: "abcabcabca", replace: `${"x".repeat(600_000)}y` },
      { find: "y", replace: "x".repeat(600_000) },
    ]);
    expect(answer.text).toContain("`edits[1]` makes the page longer");
  });
});

describe("SCIM requests", () => {
  let setting: Setting;
  let user: string;
  let group: string;
  let send: (route: string, body?: unknown) => Promise<{ status: number; body: Record<string, unknown> }>;

  beforeAll(async () => {
    setting = await setUp(memoryStorage());
    const { api, ask, org } = setting;
    await ask("admin", `PATCH /v1/orgs/${org}`, { emailDomains: ["acme.example"] });
    const { token } = (await ask("admin", `POST /v1/orgs/${org}/scim-tokens`, { label: "Directory" })).body;
    const signIn = createSignIn(api);
    send = async (route, body) => {
      const [method, path] = route.split(" ") as [string, string];
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/scim+json" };
      const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
      const response = await signIn.fetch(new Request(`http://localhost:3000/scim/v2/${org}${path}`, init));
      const text = await response.text();
      return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
    };
    const made = await send("POST /Users", { userName: "ann@acme.example", displayName: "Ann" });
    user = String(made.body.id);
    group = String((await send("POST /Groups", { displayName: "Team", members: [{ value: user }] })).body.id);
  });

  const patch = (path: string, ...Operations: object[]) =>
    send(`PATCH ${path}`, { schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"], Operations });
  const terms = (count: number) => Array.from({ length: count }, () => 'value eq "x"').join(" or ");
  const refusal = { schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"], status: "400", scimType: "tooMany" };

  test.each([
    ["many values", Array.from({ length: 10_000 }, (_, at) => ({ value: `a${at}@acme.example` })), 100],
    ["long values", [{ value: "x".repeat(300_000) }], 100],
    ["values with many parts", [Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`a${at}`, at]))], 100],
  ])("comparing %s with many terms is rejected with `tooMany`", async (_, value, count) => {
    const answer = await patch(
      `/Users/${user}`,
      { op: "replace", path: "emails", value },
      { op: "replace", path: `emails[${terms(count)}].display`, value: "x" },
    );
    expect(answer).toMatchObject({ status: 400, body: refusal });
  });

  test("copying many values in many changes is rejected with `tooMany`", async () => {
    const value = Array.from({ length: 10_000 }, (_, at) => ({ value: `a${at}@acme.example` }));
    const changes = Array.from({ length: 500 }, () => ({ op: "add", path: "emails", value: [{ value: "b" }] }));
    const answer = await patch(`/Users/${user}`, { op: "replace", path: "emails", value }, ...changes);
    expect(answer).toMatchObject({ status: 400, body: refusal });
  });

  test("realistic requests pass: a few addresses, a few terms, many members", async () => {
    const value = Array.from({ length: 20 }, (_, at) => ({ value: `a${at}@acme.example`, type: "other" }));
    const kept = { value: "ann@acme.example", type: "work", primary: true };
    const answer = await patch(
      `/Users/${user}`,
      { op: "replace", path: "emails", value: [...value, kept] },
      { op: "remove", path: `emails[type eq "other" and (${terms(20)})]` },
      { op: "replace", path: 'emails[type eq "work"].display', value: "Ann" },
    );
    expect(answer.status).toBe(200);
    const changed = await patch(`/Groups/${group}`, { op: "remove", path: `members[${terms(10)}]` });
    expect(changed.status).toBe(204);
    const found = await send(`GET /Users?filter=${encodeURIComponent(`active eq true and not (${terms(20)})`)}`);
    expect(found.body.totalResults).toBeGreaterThan(0);
  });
});

// What an Idempotency-Key may lead to: the answer that was kept for those credentials, and nothing else.

import { createDocsApi } from "octavo";
import { type MemoryStorage, memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { allOperations } from "../../src/operations";
import { copierOf, watch } from "../invariants/faults";
import { DAY, dump, HOUR, open, type Setting, seeded, setUp } from "../support/setting";

const KEY = { "idempotency-key": "found-it" };
let setting: Setting<MemoryStorage>;

beforeEach(async () => {
  setting = await setUp(memoryStorage());
});

/** An organization that the stranger founded with a key, and another admin in it. */
async function founded() {
  const { ask, ids } = setting;
  const made = await ask("stranger", "POST /v1/orgs", { title: "Theirs" }, KEY);
  const org = `/v1/orgs/${made.body.id}`;
  const invited = await ask("stranger", `POST ${org}/invites`, { emails: ["rival@example.com"], role: "admin" });
  await ask("rival", `POST ${org}/invites/${invited.body.invites[0].id}`);
  await ask("rival", `PATCH ${org}`, { title: "Ours" });
  const dismiss = () => ask("rival", `DELETE ${org}/members/${ids.stranger}`);
  return { id: made.body.id as string, org, dismiss };
}

describe("organizations created with a key", () => {
  test("an organization created with a key is not taken over with the same key a day later", async () => {
    const { ask, storage, clock } = setting;
    const { org, dismiss } = await founded();
    expect((await dismiss()).status).toBe(204);
    clock.forward(DAY + HOUR);
    const before = await dump(storage);
    const again = await ask("stranger", "POST /v1/orgs", { title: "Theirs" }, KEY);
    expect(again.status).toBe(409);
    expect(again.body.error.reason).toBe("idempotency_key_spent");
    expect(await dump(storage)).toEqual(before);
    expect((await ask("stranger", `GET ${org}`)).status).toBe(404);
    expect((await ask("rival", `GET ${org}`)).body.title).toBe("Ours");
  });

  test("an organization created with a key is not changed with the same key a day later by anyone", async () => {
    const { ask, storage, clock } = setting;
    const { org } = await founded();
    clock.forward(DAY + HOUR);
    await setting.api.maintain();
    const before = await dump(storage);
    for (const body of [{ title: "Theirs" }, { title: "Theirs", hostname: "theirs" }]) {
      const again = await ask("stranger", "POST /v1/orgs", body, KEY);
      expect([again.status, again.body.error?.reason]).toEqual([409, "idempotency_key_spent"]);
    }
    expect(await dump(storage)).toEqual(before);
    expect((await ask("rival", `GET ${org}`)).body.title).toBe("Ours");
  });

  test("the stored response is repeated within a day, but not to a removed founder", async () => {
    const { ask, clock } = setting;
    const { id, dismiss } = await founded();
    clock.forward(HOUR);
    const repeated = await ask("stranger", "POST /v1/orgs", { title: "Theirs" }, KEY);
    expect([repeated.status, repeated.body.id]).toEqual([201, id]);
    expect(repeated.headers.get("idempotent-replayed")).toBe("true");
    await dismiss();
    const removed = await ask("stranger", "POST /v1/orgs", { title: "Theirs" }, KEY);
    expect([removed.status, removed.body.error?.reason]).toEqual([409, "idempotency_key_spent"]);
    expect(JSON.stringify(removed.body)).not.toContain(id);
  });

  test("simultaneous requests with one key create one organization", async () => {
    const { ask } = setting;
    const wanted = { title: "Once", hostname: "once" };
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask("stranger", "POST /v1/orgs", wanted, KEY)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await ask("stranger", "GET /v1/orgs")).body.count).toBe(1);
  });

  test("a request with a key creates one organization, wherever the first attempt was interrupted", async () => {
    const copy = copierOf(setting.storage);
    const wanted = { title: "Once", hostname: "once", emailDomains: ["once.example"] };
    for (const fault of ["before", "answer lost", "crash"] as const) {
      for (let call = 1, isCutOff = true; isCutOff; call++) {
        const storage = watch(copy());
        const first = open(storage, { onError: () => {} });
        storage.failAt(call, fault);
        const cut = await first.askWith(setting.tokens.stranger, "POST /v1/orgs", wanted, KEY);
        isCutOff = storage.calls.total >= call;
        // Another process, with other chance, asked again by the same token.
        const later = open(storage.survivor, { random: seeded(call + 100) });
        const { body, status } = await later.askWith(setting.tokens.stranger, "POST /v1/orgs", wanted, KEY);
        expect([fault, call, status]).toEqual([fault, call, 201]);
        if (cut.status === 201) expect(body.id).toBe(cut.body.id);
        later.clock.forward(2 * HOUR);
        await later.api.maintain();
        const mine = await later.askWith(setting.tokens.stranger, "GET /v1/orgs");
        expect([fault, call, mine.body.count, mine.body.items[0]?.id]).toEqual([fault, call, 1, body.id]);
      }
    }
  });

  test("every target that creates a partition states whether it is free", () => {
    const makers = allOperations().filter(
      ({ definition: operation }) => operation.spec.target.findPartition.length > 1,
    );
    expect(makers.map(({ name }) => name)).toEqual(["createOrganization"]);
    for (const { definition: operation } of makers) expect(operation.spec.target.isVacant).toBeDefined();
  });

  test("no id generator leads into an existing partition", async () => {
    const chance = seeded(1);
    let isSame = false;
    const random = (bytes: number) => (isSame ? new Uint8Array(bytes).fill(7) : chance(bytes));
    const { api } = open(memoryStorage(), { random });
    const [made, other] = await Promise.all(
      ["a", "b"].map((name) => api.provision({ user: { displayName: name, email: `${name}@example.com` } })),
    );
    isSame = true;
    const { id } = await api.call("createOrganization", { body: { title: "First" } }, made!);
    const again = api.call("createOrganization", { body: { title: "Second" } }, other!);
    await expect(again).rejects.toMatchObject({ reason: "idempotency_key_spent" });
    const stands = await api.call("getOrganization", { params: { organizationId: id } }, made!);
    expect(stands.title).toBe("First");
  });
});

describe("stored responses belong to their credentials", () => {
  test("a restricted token of the same user does not get the token that a key created", async () => {
    const { ask } = setting;
    const { askWith } = openAgain();
    const send = { label: "all" };
    const whole = await ask("admin", "POST /v1/user/tokens", send, KEY);
    expect(whole.body.scopes).toBe(null);
    const narrow = await ask("admin", "POST /v1/user/tokens", { label: "narrow", scopes: ["tokens:write"] });
    const got = await askWith(narrow.body.token, "POST /v1/user/tokens", send, KEY);
    expect(got.headers.get("idempotent-replayed")).toBe(null);
    expect(got.body.token).not.toBe(whole.body.token);
    expect(got.body.scopes).toEqual(["tokens:write"]);
  });

  test("another token of the same user creates its own organization", async () => {
    const { ask } = setting;
    const { askWith } = openAgain();
    const first = await ask("stranger", "POST /v1/orgs", { title: "First" }, KEY);
    const other = await ask("stranger", "POST /v1/user/tokens", { label: "other" });
    const second = await askWith(other.body.token, "POST /v1/orgs", { title: "First" }, KEY);
    expect(second.status).toBe(201);
    expect(second.body.id).not.toBe(first.body.id);
  });

  test("a host user with fewer permissions does not get the response for the same user", async () => {
    let scopes: string[] | undefined;
    const user = { id: "u1", displayName: "U", email: "u@example.com" };
    const api = createDocsApi(memoryStorage(), { authenticate: () => ({ ...user, scopes }) });
    const ask = async () => {
      const headers = { "content-type": "application/json", ...KEY };
      const body = JSON.stringify({ label: "all" });
      return (
        await api.fetch(new Request("http://x.invalid/v1/user/tokens", { method: "POST", headers, body }))
      ).json();
    };
    const whole = (await ask()) as { token: string };
    expect(await ask()).toEqual(whole);
    scopes = ["tokens:write"];
    const narrow = (await ask()) as { token: string; scopes: string[] };
    expect(narrow.token).not.toBe(whole.token);
    expect(narrow.scopes).toEqual(["tokens:write"]);
  });

  function openAgain() {
    const opened = open(setting.storage);
    opened.clock.now = setting.clock.now;
    return opened;
  }
});

describe("anonymous callers", () => {
  test("a host user named nobody lends no permissions to anonymous callers", async () => {
    const storage = memoryStorage();
    const user = { id: "nobody", displayName: "N", email: "n@example.com" };
    const known = createDocsApi(storage, { authenticate: () => user });
    const json = { "content-type": "application/json" };
    const at = (path: string) => `http://x.invalid/v1${path}`;
    const post = async (path: string, body: object) => {
      const request = new Request(at(path), { method: "POST", headers: json, body: JSON.stringify(body) });
      return (await (await known.fetch(request)).json()) as { id: string };
    };
    const org = await post("/orgs", { title: "Closed" });
    const site = await post(`/orgs/${org.id}/sites`, { title: "Closed" });
    const nobody = createDocsApi(storage, {});
    const path = `/orgs/${org.id}/sites/${site.id}/site-spaces`;
    expect((await known.fetch(new Request(at(path)))).status).toBe(200);
    expect((await nobody.fetch(new Request(at(path)))).status).toBe(404);
  });
});

// Who the host says is asking: ids of any form, an e-mail address that belongs to one user, and links between the two
// that nobody can make but the host.

import { createDocsApi, DocsError } from "octavo";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { dump } from "../support/setting";

/** An API whose host names the user in a header. */
function hosted(storage = memoryStorage()) {
  const errors: unknown[] = [];
  const api = createDocsApi(storage, {
    authenticate: ({ headers }) => JSON.parse(decodeURIComponent(headers.get("x-user")!)),
    onError: (error) => errors.push(error),
  });
  const askAs = async (user: unknown) => {
    const headers = { "x-user": encodeURIComponent(JSON.stringify(user)) };
    const response = await api.fetch(new Request("http://x.invalid/v1/user", { headers }));
    const body = (await response.json()) as { id: string; email: string; error?: { reason: string; message: string } };
    return { status: response.status, body };
  };
  const ask = (id: string | number, email: string, more: object = {}) =>
    askAs({ id, displayName: "Somebody", email, ...more });
  return { api, ask, askAs, errors, storage };
}

test("a new id with a known e-mail address is a named conflict, and nothing is written", async () => {
  const { ask, errors, storage } = hosted();
  expect((await ask("first", "a@example.com")).status).toBe(200);
  const before = await dump(storage);
  for (const email of ["a@example.com", "A@Example.com"]) {
    const { status, body } = await ask("second", email);
    expect([status, body.error?.reason]).toEqual([409, "email_taken"]);
  }
  expect(errors).toEqual([]);
  expect(await dump(storage)).toEqual(before);
});

test("a known user who takes another user's e-mail address is a named conflict", async () => {
  const { ask } = hosted();
  await ask("first", "a@example.com");
  await ask("second", "b@example.com");
  const { status, body } = await ask("second", "a@example.com");
  expect([status, body.error?.reason]).toEqual([409, "email_taken"]);
  expect((await ask("second", "b@example.com")).status).toBe(200);
});

test("two first requests with one e-mail address at once are one user and one conflict", async () => {
  const { ask, errors } = hosted();
  const answers = await Promise.all(["first", "second"].map((id) => ask(id, "a@example.com")));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(errors).toEqual([]);
});

test("provision finds a host user by e-mail address and creates no second one", async () => {
  const { api, ask } = hosted();
  await ask("first", "a@example.com");
  const found = await api.provision({ user: { displayName: "Other", email: "A@example.com" } });
  expect(found.user).toBe("first");
  expect(new DocsError("email_taken").status).toBe(409);
});

const verified = { emailVerified: true };

describe("host ids", () => {
  test.each([
    ["auth0|5f7c8ec7c33c6c004bbafe82"],
    ["ada@example.com"],
    ["Ада Лавлейс 🚀"],
    ["../../orgs"],
    [" "],
    ["x".repeat(255)],
    ["🚀".repeat(255)],
    [42],
    [-7],
    ["usr_0123456789abcdef"],
    ["a\u0000b"],
  ])("the host id %j is the same user every time", async (id) => {
    const { ask, errors, storage } = hosted();
    const first = await ask(id, "a@example.com");
    expect([first.status, errors]).toEqual([200, []]);
    const before = await dump(storage);
    expect((await ask(id, "a@example.com")).body).toEqual(first.body);
    expect(await dump(storage)).toEqual(before);
    const changed = await ask(id, "b@example.com");
    expect(changed.body).toMatchObject({ id: first.body.id, email: "b@example.com" });
    expect((await ask(`${id}2`.slice(-255), "c@example.com")).body.id).not.toBe(first.body.id);
    expect(first.body.id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  test("host ids in the form of ours belong to the host user, even for stored users", async () => {
    const { ask } = hosted();
    expect((await ask("first", "a@example.com")).body.id).toBe("first");
    expect((await ask(42, "b@example.com")).body.id).toBe("42");
    expect((await ask("42", "b@example.com")).body.id).toBe("42");
  });

  test("host ids equal to another user's generated id do not lead to that user", async () => {
    const { api, ask } = hosted();
    const { user } = await api.provision({ user: { displayName: "Victim", email: "victim@example.com" } });
    const { status, body } = await ask(user, "mallory@example.com");
    expect(status).toBe(200);
    expect(body.id).not.toBe(user);
    expect((await ask(`${user}2`, "victim@example.com")).body.error?.reason).toBe("email_taken");
  });

  test("a host id equal to a generated id belongs to that user after the address is verified", async () => {
    const { api, ask } = hosted();
    const { user } = await api.provision({ user: { displayName: "Ada", email: "ada@example.com" } });
    expect((await ask(user, "ada@example.com")).body.error?.reason).toBe("email_taken");
    expect((await ask(user, "ada@example.com", verified)).body.id).toBe(user);
    expect((await ask(user, "ada@elsewhere.example")).body.id).toBe(user);
  });

  test("fifty simultaneous first requests of one host id create one user without errors", async () => {
    const { ask, errors } = hosted();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask("auth0|1", "a@example.com")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(errors).toEqual([]);
  });
});

describe("host users with a known e-mail address", () => {
  test("a verified e-mail address links a host user to the known user, by id from then on", async () => {
    const { api, ask } = hosted();
    const { user } = await api.provision({ user: { displayName: "Ada", email: "ada@example.com" } });
    expect((await ask("auth0|1", "ada@example.com")).body.error?.reason).toBe("email_taken");
    expect((await ask("auth0|1", "Ada@example.com", verified)).body.id).toBe(user);
    expect((await ask("auth0|1", "ada@elsewhere.example")).body).toMatchObject({
      id: user,
      email: "ada@elsewhere.example",
    });
    // The old address is free again.
    expect((await ask("other", "ada@example.com")).body.id).toBe("other");
  });

  test("a second host id with the same verified address is the same person", async () => {
    const { ask } = hosted();
    const { body } = await ask("auth0|1", "ada@example.com", verified);
    expect((await ask("google|2", "ada@example.com", verified)).body.id).toBe(body.id);
    expect((await ask("auth0|1", "ada@example.com", verified)).body.id).toBe(body.id);
    expect((await ask("plain", "ada@example.com", verified)).body.id).toBe(body.id);
    expect((await ask("plain", "other@example.com")).body).toMatchObject({ id: body.id });
  });

  test("a host user is not linked by an unverified address", async () => {
    const { ask, storage } = hosted();
    const mallory = await ask("mallory", "ada@example.com");
    const before = await dump(storage);
    const refused = await ask("auth0|1", "ada@example.com", verified);
    expect([refused.status, refused.body.error?.reason]).toEqual([409, "email_taken"]);
    expect(refused.body.error?.message).toContain("`provision`");
    expect(await dump(storage)).toEqual(before);
    // Once the address is verified there, too, it is the same person.
    expect((await ask("mallory", "ada@example.com", verified)).body.id).toBe(mallory.body.id);
    expect((await ask("auth0|1", "ada@example.com", verified)).body.id).toBe(mallory.body.id);
  });

  test("a host user loses the verification when the address changes without one", async () => {
    const { ask } = hosted();
    await ask("mallory", "mallory@example.com", verified);
    await ask("mallory", "ada@example.com");
    expect((await ask("auth0|1", "ada@example.com", verified)).body.error?.reason).toBe("email_taken");
  });

  test("provision links a host user, and only the host can call it", async () => {
    const { api, ask } = hosted();
    await ask("first", "ada@example.com");
    const wanted = { user: { id: "auth0|1", displayName: "Ada", email: "ada@example.com" } };
    expect(await api.provision(wanted)).toEqual({ user: "first" });
    expect((await ask("auth0|1", "ada@example.com")).body.id).toBe("first");
  });

  test("two host ids that arrive at once are one user", async () => {
    const { ask, errors } = hosted();
    const ids = ["auth0|1", "google|2", "plain"];
    const answers = await Promise.all(ids.map((id) => ask(id, "a@example.com", verified)));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(errors).toEqual([]);
  });
});

describe("invalid host users", () => {
  const right = { id: "1", displayName: "Ada", email: "ada@example.com" };
  test.each<[unknown, string]>([
    [{ ...right, id: undefined }, "`id` of the user is missing"],
    [{ ...right, id: "" }, "`id` of the user is wrong. Expected 1 to 255 characters"],
    [{ ...right, id: "x".repeat(256) }, "`id` of the user is wrong. Expected 1 to 255 characters"],
    [{ ...right, id: "\ud800" }, "`id` of the user is wrong. Expected text without halves"],
    [{ ...right, id: 1.5 }, "`id` of the user is wrong"],
    [{ ...right, id: null }, "`id` of the user is wrong"],
    [{ ...right, id: { oid: 1 } }, "`id` of the user is wrong. Expected text or a whole number"],
    [{ ...right, displayName: "" }, "`displayName` of the user is wrong. Expected 1 to 64 characters"],
    [{ ...right, displayName: undefined }, "`displayName` of the user is missing"],
    [{ ...right, email: "ada" }, "`email` of the user is wrong. Expected an e-mail address"],
    [{ ...right, emailVerified: "yes" }, "`emailVerified` of the user is wrong. Expected true or false"],
    [{ ...right, photoURL: "javascript:alert(1)" }, "`photoURL` of the user is wrong"],
    [{ ...right, scopes: "users:read" }, "`scopes` of the user is wrong. Expected a list"],
    ["ada", "Expected a user with an id, a displayName and an email"],
  ])("the invalid host user %j is reported to onError by field, and nothing is written", async (user, says) => {
    const { askAs, errors, storage } = hosted();
    const { status, body } = await askAs(user);
    expect([status, body.error?.reason]).toEqual([500, "internal"]);
    expect(errors).toEqual([expect.any(TypeError)]);
    expect(String(errors[0])).toContain(`authenticate: ${says}`);
    expect((await dump(storage)).size).toBe(0);
  });

  test("null is accepted where a field is unknown", async () => {
    const { askAs } = hosted();
    expect((await askAs({ ...right, photoURL: null, emailVerified: null, scopes: null })).status).toBe(200);
  });
});

test("responses, keys and limits of a token and of host authentication are separate", async () => {
  const api = createDocsApi(memoryStorage(), {
    authenticate: ({ headers }) =>
      headers.get("cookie") ? { id: "ada", displayName: "Ada", email: "a@example.com", scopes: ["users:read"] } : null,
  });
  const ask = (headers: Record<string, string>, path: string) =>
    api.fetch(new Request(`http://x.invalid${path}`, { headers })).then(({ status }) => status);
  await ask({ cookie: "1" }, "/v1/user");
  const { token } = await api.provision({
    user: { displayName: "Ada", email: "a@example.com" },
    token: { label: "ci" },
  });
  const bearer = { authorization: `Bearer ${token}` };
  // What the token may see is kept, and not shown to the host's caller with fewer scopes.
  for (let i = 0; i < 2; i++) {
    expect(await ask(bearer, "/v1/user/tokens")).toBe(200);
    expect(await ask({ cookie: "1" }, "/v1/user/tokens")).toBe(403);
    expect(await ask({ cookie: "1", ...bearer }, "/v1/user/tokens")).toBe(200);
  }
});

// Who the host says is asking: an e-mail address belongs to one user, and that is said in words.

import { createDocsApi, DocsError } from "octavo";
import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { dump } from "../setting";

/** An API whose host names the user in a header. */
function hosted(storage = memoryStorage()) {
  const errors: unknown[] = [];
  const api = createDocsApi(storage, {
    authenticate: ({ headers }) => JSON.parse(headers.get("x-user")!),
    onError: (error) => errors.push(error),
  });
  const ask = async (id: string, email: string) => {
    const headers = { "x-user": JSON.stringify({ id, displayName: id, email }) };
    const response = await api.fetch(new Request("http://x.invalid/v1/user", { headers }));
    return { status: response.status, body: (await response.json()) as { error?: { reason: string } } };
  };
  return { api, ask, errors, storage };
}

test("a new id with an e-mail address that is known is a named conflict, and nothing is written", async () => {
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

test("a known user who takes the e-mail address of another is a named conflict", async () => {
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

test("provision finds a user of the host by e-mail address, and makes no second one", async () => {
  const { api, ask } = hosted();
  await ask("first", "a@example.com");
  const found = await api.provision({ user: { displayName: "Other", email: "A@example.com" } });
  expect(found.user).toBe("first");
  expect(new DocsError("email_taken").status).toBe(409);
});

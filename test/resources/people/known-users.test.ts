// The host sees all users that a storage knows.

import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";

test("users() lists every user once, however many there are, and nothing stored beside them", async () => {
  const api = createDocsApi(memoryStorage());
  const made: string[] = [];
  for (let n = 0; n < 501; n++) {
    const user = { displayName: `User ${n}`, email: `user-${n}@example.com` };
    made.push((await api.provision({ user, ...(n === 0 ? { organization: { title: "Acme" } } : {}) })).user);
  }
  const seventh = made[7];
  const seen = [];
  for await (const user of api.users()) seen.push(user);
  expect(seen.map(({ id }) => id).sort()).toEqual(made.sort());
  const found = [];
  for await (const user of api.users({ email: "User-7@Example.com" })) found.push(user.id);
  expect(found).toEqual([seventh]);
  for await (const user of api.users({ email: "nobody@example.com" })) expect.unreachable(user.id);
  expect(Object.keys(seen[0]!).sort()).toEqual(["createdAt", "displayName", "email", "id"]);
});

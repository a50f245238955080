// A setting that was filled in is the one that is set up by asking.

import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { dump, setUp } from "./setting";

test("the prefilled setting equals one made by requests and continues the same way", async () => {
  const [filled, asked] = [
    await setUp(memoryStorage()),
    await setUp(memoryStorage(), { origin: "http://localhost:3000" }),
  ];
  expect(await dump(filled.storage)).toEqual(await dump(asked.storage));
  expect(filled.clock.now).toEqual(asked.clock.now);
  for (const { ask, org } of [filled, asked])
    expect((await ask("create", `POST /v1/orgs/${org}/spaces`, { title: "Guide" })).status).toBe(201);
  const [one, other] = [await dump(filled.storage), await dump(asked.storage)];
  expect(one).toEqual(other);
});

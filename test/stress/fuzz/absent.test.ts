// The comparison of what is hidden with what is absent sees a difference of any kind.

import { expect, test } from "vitest";
import { allOperations } from "../../../src/operations";
import { type Ask, createCompare, type Told } from "./absent";
import type { FuzzRequest } from "./requests";

const named = allOperations().find(({ name }) => name === "getSpace")!;
const path = "/v1/spaces/spc_known";
const compare = createCompare({
  table: [named],
  rows: { getSpace: { ask: `GET ${path}`, who: {} } },
  callers: ["guest"],
  words: ["spc_known"],
});
const request: FuzzRequest = {
  operation: "getSpace",
  as: "guest",
  method: "GET",
  path,
  headers: {},
  body: undefined,
};

const answer = (message: string, status = 404): Told => ({
  status,
  text: JSON.stringify({ error: { reason: "space_not_found", message, requestId: String(Math.random()) } }),
});
/** What the comparison says when something absent is answered in a way, and something hidden with "Nothing." */
const compared = (absent: Told, asked = request) => {
  const ask: Ask = async ({ path: at }) => (at === path ? answer("Nothing.") : absent);
  return compare(asked, named.definition, answer("Nothing."), { ask, askUntouched: async () => answer("") });
};

test("responses with the same text are equal, and every response has its own id", async () => {
  expect(await compared(answer("Nothing."))).toEqual({});
});

test.each([
  ["other words", answer("Nothing, or you may not see it.")],
  ["another status", answer("Nothing.", 403)],
])("%s are a difference", async (_, absent) => {
  expect((await compared(absent))?.wrong).toContain("space_not_found");
});

test("a resource that is nowhere hides nothing, and a previously used key reveals nothing about it", async () => {
  expect(await compared(answer("Other."), { ...request, path: "/v1/spaces/spc_other" })).toBe(undefined);
  expect(await compared(answer("Other."), { ...request, headers: { "idempotency-key": "one" } })).toBe(undefined);
});

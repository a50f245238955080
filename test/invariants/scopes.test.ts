// Law 7, for tokens: a token with one scope opens the operations that the snapshot says, and no others. An operation that moves to
// another resource, or becomes open, is seen by whoever reviews the snapshot.

import { memoryStorage } from "octavo/memory";
import { beforeAll, describe, expect, test } from "vitest";
import { allOperations } from "../../src/operations";
import { web } from "../resources/content/imports-web";
import { type Answer, dump, open, setUp } from "../support/setting";
import { access } from "./access";
import { getNeededScope } from "./describe-access";
import { expectEqual } from "./entries";
import { type Cast, type Example, examples, mute, parrot, prepare } from "./examples";

const table = allOperations();
const listed = access
  .map(({ scope, name }) => [scope, name] as const)
  .sort(([a], [b]) => (a === b ? 0 : a < b ? -1 : 1));
const scopes = [...new Set(listed.map(([needed]) => needed).filter((needed) => needed !== "open"))];
const guarded = listed.filter(([needed]) => needed !== "open");

/** Whether a scope opens what another one is needed for: its own room alone, and writing includes reading. */
function opens(held: string, needed: string): boolean {
  const [room, mode] = held.split(":");
  return needed === held || (mode === "write" && needed === `${room}:read`);
}

let cast: Cast;
let rows: Record<string, Example>;
let askWith: ReturnType<typeof open>["askWith"];

beforeAll(async () => {
  const storage = memoryStorage();
  cast = await prepare(await setUp(storage, { fetch: web, translator: mute, ask: parrot }));
  rows = examples(cast);
  const opened = open(storage, { fetch: web, translator: mute, ask: parrot });
  opened.clock.now = cast.clock.now;
  askWith = opened.askWith;
});

async function tokenOf(person: "admin" | "stranger", wanted: readonly string[]): Promise<string> {
  const made = await cast.ask(person, "POST /v1/user/tokens", { label: "x", scopes: wanted });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.token;
}

const isRefused = ({ body }: Answer) => body?.error?.reason === "scope_missing";
const asks = (token: string, name: string) => askWith(token, rows[name]!.ask, rows[name]!.send);

describe("law 7: a token with one scope opens only its operations", () => {
  test("the snapshot lists every scope and agrees with the table", () => {
    const needed = table.map((operation) => `${operation.name} ${getNeededScope(operation)}`);
    expect(
      access.map(({ name, scope }) => `${name} ${scope}`),
      "run `npm run generate:access`, and review the lines that differ",
    ).toEqual(needed.sort());
    expect(scopes.every((scope) => /^[a-z-]+:(?:read|write)$/.test(scope))).toBe(true);
  });

  test.each(scopes)("the scope %s opens only its operations", async (held) => {
    // The admin might do everything: only the scope stands in the way, and what it refuses changes nothing.
    const admin = await tokenOf("admin", [held]);
    const before = await dump(cast.storage);
    for (const [needed, name] of guarded)
      if (!opens(held, needed)) expect([name, isRefused(await asks(admin, name))]).toEqual([name, true]);
    expectEqual(await dump(cast.storage), before);
    // A stranger finds nothing to change, and it is not the scope that says so.
    const stranger = await tokenOf("stranger", [held]);
    for (const [needed, name] of guarded)
      if (opens(held, needed)) expect([name, isRefused(await asks(stranger, name))]).toEqual([name, false]);
  });

  test("a token without scopes opens only what is open to everyone", async () => {
    const token = await tokenOf("admin", []);
    for (const [needed, name] of listed)
      expect([name, isRefused(await asks(token, name))]).toEqual([name, needed !== "open"]);
  });
});

describe("law 7: a token with one scope gets no better token", () => {
  test("tokens:write creates only tokens with tokens:write and tokens:read", async () => {
    const token = await tokenOf("admin", ["tokens:write"]);
    const make = async (wanted: readonly string[] | null | undefined) =>
      (await askWith(token, "POST /v1/user/tokens", { label: "y", scopes: wanted })).status;
    for (const scope of scopes)
      expect([scope, await make([scope])]).toEqual([scope, /^tokens:/.test(scope) ? 201 : 403]);
    expect(await make(null)).toBe(403);
    expect(await make(["tokens:write", "spaces:read"])).toBe(403);
    const inherited = await askWith(token, "POST /v1/user/tokens", { label: "y" });
    expect(inherited.body.scopes).toEqual(["tokens:write"]);
  });
});

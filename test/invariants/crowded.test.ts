// Whoever has much is served as whoever has little: every operation that writes is asked by somebody who may, in an
// organization in which they are in more teams and were given more things. It is done, and what its commits check does not
// grow with any of that: so it has room however much it is. A long run asks as each who may, and not as the least of them alone.

import type { Batch, Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { beforeAll, describe, expect, test } from "vitest";
import { allOperations } from "../../src/operations";
import { type GrantRecord, grants } from "../../src/resources/library/grants/records";
import { type TeamRecord, teamMembers, teams } from "../../src/resources/people/teams/records";
import { getOrganizationPartition, parsePartitionCode } from "../../src/storage/ids";
import { createStore } from "../../src/storage/store";
import { processInCommits } from "../../src/storage/transaction-budget";
import { web } from "../resources/content/imports-web";
import { open, type Person, people, seeded, setUp } from "../support/setting";
import { isLongRun } from "../support/test-length";
import { type Cast, type Example, examples, mute, parrot, prepare } from "./examples";
import { copierOf } from "./faults";

const writes = allOperations().filter(({ definition: operation }) => operation.method !== "GET");
let few: () => Storage;
let many: () => Storage;
let cast: Cast;
let rows: Record<string, Example>;

const TEAMS = 8;
const GIVEN = 20;
const GIVEN_TO_TEAMS = 2;

beforeAll(async () => {
  const base = memoryStorage();
  cast = await prepare(await setUp(base, { fetch: web, translator: mute, ask: parrot }));
  rows = examples(cast);
  few = copierOf(base);
  await crowd(base);
  many = copierOf(base);
});

/** Puts everybody into many teams, and gives them and their teams much: spaces that are elsewhere, as good as any other. */
async function crowd(storage: Storage): Promise<void> {
  const store = createStore(storage, { now: () => cast.clock.now, random: seeded(2), pause: async () => {} });
  const at = getOrganizationPartition(cast.org);
  const code = parsePartitionCode("organization", cast.org);
  const createdAt = cast.clock.now.toISOString();
  const id = (kind: string, n: number) => `${kind}_${code}${String(n).padStart(16, "0")}`;
  const count = (length: number) => Array.from({ length }, (_, n) => n);
  const members = people.filter((person) => person !== "stranger" && person !== "rival").map((it) => cast.ids[it]);
  const newTeams: TeamRecord[] = count(TEAMS).map((n) => ({ id: id("tem", n), title: `Crowd ${n}`, createdAt }));
  await processInCommits(store, at, newTeams, teams.put);
  const places = members.flatMap((user) => newTeams.map(({ id: team }) => ({ team, user })));
  await processInCommits(store, at, places, (tx, it) =>
    teamMembers.put(tx, { ...it, role: "member", joinedAt: createdAt }),
  );
  const toUsers = members.flatMap((grantee) => count(GIVEN).map((n) => ({ node: n, kind: "user" as const, grantee })));
  const toTeams = newTeams.flatMap(({ id: grantee }, i) =>
    count(GIVEN_TO_TEAMS).map((n) => ({ node: GIVEN_TO_TEAMS * i + n, kind: "team" as const, grantee })),
  );
  const given = [...toUsers, ...toTeams].map(
    (it): GrantRecord => ({ ...it, node: id("spc", it.node), role: "edit", createdAt }),
  );
  await processInCommits(store, at, given, grants.put);
}

/** The most checks that a commit of a request, or of what follows it, had. */
async function ask(name: string, person: Person, copy: () => Storage) {
  const inner = copy();
  const batches: Batch[] = [];
  const storage: Storage = {
    ...inner,
    partition(at) {
      const { snapshot, commit } = inner.partition(at);
      const noted = (batch: Batch) => {
        batches.push(batch);
        return commit(batch);
      };
      return { snapshot, commit: noted };
    },
  };
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const { clock, askWith } = open(storage, { fetch: web, translator: mute, ask: parrot, onError });
  clock.now = cast.clock.now;
  clock.forward(1000);
  const answer = await askWith(cast.tokens[person], rows[name]!.ask, rows[name]!.send);
  return { status: answer.status, checks: Math.max(0, ...batches.map(({ checks }) => checks.length)), errors };
}

/** What takes away what somebody has checks each of it, as much as one commit takes. */
const taking = ["removeMember", "deleteTeam", "leaveOrganizations", "eraseCurrentUser"];

describe.each(writes.map(({ name }) => name))("%s", (name) => {
  test("an operation works for people who have very many of everything", async () => {
    const may = people.filter((person) => rows[name]!.who[person] === undefined);
    expect(may.length).toBeGreaterThan(0);
    for (const person of isLongRun ? may : may.slice(0, 1)) {
      const little = await ask(name, person, few);
      const much = await ask(name, person, many);
      expect([person, much.status, much.errors]).toEqual([person, little.status, []]);
      if (!taking.includes(name)) expect(much.checks, `checks for ${person}`).toBeLessThanOrEqual(little.checks);
    }
  });
});

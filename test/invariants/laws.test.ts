// The laws that hold for all operations, whatever they do.

import { readFileSync } from "node:fs";
import type { Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { beforeAll, describe, expect, test } from "vitest";
import { Id } from "../../src/operation/common-schemas";
import { allOperations } from "../../src/operations";
import { encodeKey } from "../../src/storage/key";
import { createSecrets } from "../../src/storage/secrets";
import { web } from "../resources/content/imports-web";
import { stories } from "../resources/index";
import { checkShape, operationAt } from "../resources/scenario";
import { dump, HOUR, open, type Person, people, SECRET, seeded, setUp } from "../support/setting";
import { isLongRun } from "../support/test-length";
import { openNames } from "./access";
import { expectEqual, isEqual } from "./entries";
import { allowedPerson, type Cast, type Example, examples, mute, parrot, prepare } from "./examples";
import { copierOf, type Fault, sealLogs, watch } from "./faults";

const table = allOperations();
const byName = table.map((named) => [named.name, named] as const);
const isOpen = (name: string) =>
  table.find((named) => named.name === name)!.definition.spec.target.allowsAnonymous === true;
let copy: () => Storage;
/** What every copy holds in the beginning. */
let untouched: Map<string, string>;
/** The events of every copy in the beginning. */
let logged: number;
let cast: Cast;
let rows: Record<string, Example>;

beforeAll(async () => {
  const base = memoryStorage();
  cast = await prepare(await setUp(base, { fetch: web, translator: mute, ask: parrot }));
  rows = examples(cast);
  await sealLogs(base, cast.clock.now);
  copy = copierOf(base);
  untouched = await dump(base);
  logged = await eventsIn(base);
});

/** What visitors do is counted and told to integrations, and is no event of the audit log. */
const uncounted = new Set(["reportSiteEvents", "reportSiteView"]);

/** How many events all audit logs ever had. */
async function eventsIn(storage: Storage): Promise<number> {
  let events = 0;
  for await (const name of storage.partitions()) {
    const [total] = await (await storage.partition(name).snapshot()).get([encodeKey("audit-total")]);
    events += Number(total?.value ?? 0);
  }
  return events;
}

/** A copy of the prepared storage, watched, with a way to ask. */
async function stage() {
  const storage = watch(copy());
  const errors: unknown[] = [];
  const { api, clock, askWith } = open(storage, {
    fetch: web,
    translator: mute,
    ask: parrot,
    onError: (error) => errors.push(error),
  });
  clock.now = cast.clock.now;
  clock.forward(1000);
  const ask = (as: Person | null, route: string, send?: unknown) => askWith(as && cast.tokens[as], route, send);
  return { storage, api, clock, ask, askWith, errors };
}

describe("law 1: the interface is declared", () => {
  const lines = readFileSync(new URL("operations.tsv", import.meta.url), "utf8")
    .trim()
    .split("\n");

  test("operations.tsv lists all 147 operations", () => {
    expect(lines.length).toBe(147);
  });

  test.each(lines)("%s is declared with its method and path", (line) => {
    const [, method, path] = line.split("\t");
    const declared = table.map(
      ({ definition: operation }) => `${operation.method} /v1${operation.path.replace(/:(\w+)/g, "{$1}")}`,
    );
    expect(declared).toContain(`${method} ${path}`);
  });

  test("no two operations share a name or a route", () => {
    expect(new Set(table.map(({ name }) => name)).size).toBe(table.length);
    expect(new Set(table.map(({ definition: operation }) => `${operation.method} ${operation.path}`)).size).toBe(
      table.length,
    );
  });
});

describe("law 2: requests without a token answer 401 and read nothing", () => {
  test.each(byName)("%s answers 401 without a token and reads nothing", async (name) => {
    if (isOpen(name)) return;
    const { storage, ask } = await stage();
    const answer = await ask(null, rows[name]!.ask, rows[name]!.send);
    expect(answer.status).toBe(401);
    checkShape(rows[name]!, 401, answer.body, name);
    expect(storage.calls.total).toBe(0);
  });

  test("only the service description, signed URLs, published content and integration endpoints are open", () => {
    expect(new Set(table.filter(({ name }) => isOpen(name)).map(({ name }) => name))).toEqual(openNames);
  });
});

/** Somebody who does not see the thing that a parameter names. */
const hiddenFrom: Record<string, Person> = {
  organizationId: "rival",
  teamId: "guest",
  userId: "guest",
  samlProviderId: "create",
  scimTokenId: "create",
  inviteId: "create",
  tokenId: "read",
  jobId: "create",
  collectionId: "review",
  spaceId: "review",
  siteId: "guest",
  integrationName: "guest",
  installationId: "guest",
  specSlug: "guest",
  versionId: "guest",
  translationId: "review",
};

describe("law 3: absent and hidden resources get the same response", () => {
  const absent = (id: string) => id.slice(0, -3) + (id.endsWith("zzz") ? "yyy" : "zzz");

  test.each(
    byName.flatMap(([name, { definition: operation }]) => operation.params.map((param) => [name, param] as const)),
  )("%s, %s: absent and hidden resources get the same response", async (name, param) => {
    // A grant is seen by all who see what it was given on.
    const isInTree = /\/(?:spaces|collections)\/[^/]+\/permissions\//.test(rows[name]!.ask);
    const person = isInTree ? hiddenFrom.spaceId : hiddenFrom[param];
    // The id of an invite is the secret that shows it: it is hidden from nobody who has it. A name that is to be published
    // is unique everywhere, so it tells when it is taken. What is installed here is public, and a component is shown to all
    // who see the space that it is on: test/security/integrations.test.ts asks both of an integration that is private.
    // An organization is shown to whoever may join it: test/resources/people/members.ts asks one of another domain.
    const told = [
      "acceptInvite",
      "publishIntegration",
      "installIntegration",
      "renderComponent",
      "renderComponentByPost",
      "joinOrganization",
    ];
    if (!person || told.includes(name)) return;
    // What everybody is shown is hidden from nobody; test/resources/sites/site-audiences.test.ts has the sites that are.
    if (isOpen(name) && Object.keys(rows[name]!.who).length === 0) return;
    const { ask: route, send } = rows[name]!;
    const real = Object.values({ ...cast.ids, ...cast }).filter((id): id is string => typeof id === "string");
    const pattern = operationAt(route)!.definition.path.split("/");
    const place = pattern.indexOf(`:${param}`) + 1;
    const parts = route.split("?")[0]!.split("/");
    expect(real).toContain(parts[place]);
    parts[place] = absent(parts[place]!);
    const query = route.includes("?") ? `?${route.split("?")[1]}` : "";
    const { ask } = await stage();
    const hidden = await ask(person, route, send);
    const gone = await ask(person, parts.join("/") + query, send);
    expect(gone.status).toBe(hidden.status);
    if (hidden.body?.error) {
      hidden.body.error.requestId = gone.body.error.requestId;
      expect(gone.body).toEqual(hidden.body);
    }
  });
});

describe("law 3: deleting an absent resource succeeds and does nothing", () => {
  const deletes = byName.filter(([, { definition: operation }]) => operation.method === "DELETE");
  /** Ids that lead nowhere: one that could be, one of a kind that is nowhere, and what is no id at all. */
  const lost = (id: string) => [id.slice(0, -3) + (id.endsWith("zzz") ? "yyy" : "zzz"), "x", "no%20id", "a".repeat(65)];

  const patternOf = (name: string) => table.find((it) => it.name === name)!.definition.path.split("/");

  /** The places of parameters in the path of an example. */
  function placesIn(name: string): { readonly parts: string[]; readonly places: number[]; readonly isOne: boolean } {
    const pattern = patternOf(name);
    const places = pattern.flatMap((part, at) => (/^:\w+$/.test(part) ? [at + 1] : []));
    return { parts: rows[name]!.ask.split("/"), places, isOne: places.at(-1) === pattern.length };
  }

  test.each(deletes)("%s deletes nothing and succeeds when the resource is absent", async (name) => {
    const { storage, ask } = await stage();
    const person = allowedPerson(rows[name]!);
    const { parts, places, isOne } = placesIn(name);
    const told = async (as: Person, way: readonly string[]) => {
      const answer = await ask(as, way.join("/"));
      if (answer.body?.error) answer.body.error.requestId = "";
      return { status: answer.status, body: answer.body };
    };
    for (const place of places) {
      const isItself = isOne && place === places.at(-1);
      for (const id of lost(parts[place]!)) {
        const { status, body } = await told(person, parts.with(place, id));
        expect([parts[place], id, status], JSON.stringify(body)).toEqual([parts[place], id, isItself ? 204 : 404]);
      }
    }
    // A parent that is hidden gets the answer of one that is not there.
    for (const place of places.slice(0, isOne ? -1 : undefined)) {
      const person = hiddenFrom[patternOf(name)[place - 1]!.slice(1)];
      if (person === undefined || isOpen(name)) continue;
      const hidden = await told(person, parts);
      const absent = await told(person, parts.with(place, lost(parts[place]!)[0]!));
      expect(hidden.status).toBe(404);
      expect(absent).toEqual(hidden);
    }
    expectEqual(await dump(storage), untouched);
  });

  test("a request finds nothing in a space in the trash", async () => {
    const { ask } = await stage();
    const below = deletes.filter(([name]) => patternOf(name)[2] === ":spaceId" && placesIn(name).places.length > 1);
    expect(below.length).toBeGreaterThan(4);
    for (const [name] of below) {
      const { parts, places } = placesIn(name);
      for (const id of [parts[places.at(-1)!]!, ...lost(parts[places.at(-1)!]!)]) {
        const way = parts.with(places[0]!, cast.deletedSpace).with(places.at(-1)!, id).join("/");
        const { status, body } = await ask("admin", way);
        expect([way, status, body?.error.reason]).toEqual([way, 404, "space_not_found"]);
      }
    }
  });

  test("every DELETE operation is covered", () => {
    expect(deletes.length).toBeGreaterThan(25);
    expect(
      deletes
        .filter(([name]) => !placesIn(name).isOne)
        .map(([name]) => name)
        .sort(),
    ).toEqual([
      ...["deleteAtIntegration", "endSessions", "eraseCurrentUser", "leaveOrganizations", "removeGitSync"],
      ...["resetSiteSpaceCustomization", "stopDevelopment"],
    ]);
  });
});

describe("law 4: access follows the table, and refusals change nothing", () => {
  /** The reason of a refusal where it is not that the role is too low. */
  const forbidding: Record<string, string> = { acceptInvite: "invite_for_someone_else" };
  /** Why nothing is there for somebody outside: of the first thing in the path they see nothing. */
  const hiding: Record<string, readonly string[]> = {
    organizationId: ["organization_not_found"],
    spaceId: ["space_not_found"],
    collectionId: ["collection_not_found"],
    integrationName: ["integration_not_found", "installation_not_found"],
    userId: ["user_not_found"],
    hostname: ["custom_hostname_not_found"],
  };
  const reasonsOutside = ({ name, definition }: (typeof table)[number]) =>
    isOpen(name) ? ["site_not_found"] : (hiding[definition.params[0]!] ?? ["url_not_found"]);

  test.each(byName)("%s allows exactly the roles of the table, and a refusal changes nothing", async (name, named) => {
    const { method, spec } = named.definition;
    const example = rows[name]!;
    // A refusal leaves everything as it was, so all who are refused ask the same storage.
    const forRefused = await stage();
    for (const person of people) {
      const wanted = example.who[person];
      const { storage, ask } = wanted === undefined ? await stage() : forRefused;
      const done = storage.calls.commits;
      const answer = await ask(person, example.ask, example.send);
      const told = `${name} as ${person}: ${JSON.stringify(answer.body)}`;
      checkShape(example, answer.status, answer.body, told);
      if (wanted === undefined) {
        expect(answer.status, told).toBeLessThan(300);
        // What is passed on to an integration is written down for those who run it, and changes nothing here.
        const isWrite = method !== "GET" && !spec.isReadOnly && !spec.forwardsRequest && storage.calls.commits > done;
        if (isWrite && !uncounted.has(name)) expect(await eventsIn(storage), told).toBeGreaterThan(logged);
      } else {
        expect(answer.status, told).toBe(wanted === "nothing" ? 204 : wanted);
        if (wanted === 403) expect(answer.body.error.reason, told).toBe(forbidding[name] ?? "forbidden");
        const isOutside = person === "stranger" || person === "rival";
        if (wanted === 404 && isOutside) expect(reasonsOutside(named), told).toContain(answer.body.error.reason);
        if (storage.calls.commits > done) expectEqual(await dump(storage), untouched, told);
      }
    }
  });
});

describe("law 6: reads commit nothing, and writes are atomic", () => {
  test.each(byName.filter(([, { definition: operation }]) => operation.method === "GET"))(
    "%s commits nothing",
    async (name) => {
      const { storage, ask } = await stage();
      const done = storage.calls.commits;
      await ask(allowedPerson(rows[name]!), rows[name]!.ask);
      // That an integration was asked is written down for those who run it, and nothing else is.
      if (asking.has(name)) expectEqual(settled(await dump(storage)), settled(untouched));
      else expect(storage.calls.commits).toBe(done);
    },
  );

  const asking = new Set(["renderComponent", "fetchFromIntegration", "fetchPublishedScript", "startVisitorLogin"]);

  /** Leaves out what may differ: void entries of names that nobody holds, that an object was named again, the version that a
   * line was seen at, when a specification was processed, how long a run took, how often a guarded group was changed, how
   * often and when an event was delivered, what integrations were asked, what work that ended said last, and the ids and ages of
   * jobs and events that were made by a job. */
  const settled = (entries: Map<string, string>) => {
    const known = settledBefore.get(entries) ?? settle(entries);
    settledBefore.set(entries, known);
    return known;
  };
  /** What every case of an operation is compared with is settled once. */
  const settledBefore = new WeakMap<Map<string, string>, Map<string, string>>();

  const settle = (entries: Map<string, string>) => {
    const made = new Map([...entries.values()].flatMap(eventOfJob));
    const unnamed = (text: string) => {
      const [id] = text.match(/evt_[0-9a-z]+/) ?? [];
      const name = made.get(id ?? "");
      return name === undefined ? text : text.replaceAll(id!, name).replace(/20[\d-]+T[\d:.]+Z/g, "then");
    };
    return new Map(
      [...entries]
        .filter(([key]) => !/claimed|\\u0003use\\u0000/.test(key) && !/integration-event.*(?:cal_|calls)/s.test(key))
        .filter(([key]) => !key.includes(' "\\u0003g\\u0000'))
        .filter(([key, value]) => !key.includes("\\u0003progress\\u0000") || value.includes('"status":"running"'))
        .map(([key, value]) => [
          unnamed(key.replace(/job_[0-9a-z]+/, "job")),
          unnamed(value)
            .replace(/,"asOf":\d+/, "")
            .replace(/,"createdAt":\d+/, "")
            .replace(/"attempts":\[[^\]]*\]/, '"attempts":[]')
            .replace(/,"lastProcessedAt":"[^"]+"/, "")
            .replace(/,"(?:totalDuration|latestRunDuration)":\d+/g, ""),
        ]),
    );
  };

  /** The id of an event that tells of a place which a job took away, with a name that is always the same. */
  function eventOfJob(value: string): [id: string, name: string][] {
    if (!value.includes("installation_deleted")) return [];
    const payload = (JSON.parse(value) as { payload?: Record<string, string> } | null)?.payload;
    if (!payload || !/^(?:space|site)_installation_deleted$/.test(payload.type ?? "")) return [];
    return [[payload.eventId!, `${payload.type} ${payload.installationId} ${payload.spaceId ?? payload.siteId}`]];
  }

  async function finished(name: string, failing?: { call: number; fault: Fault }) {
    const { storage, clock, ask } = await stage();
    const start = storage.calls.total;
    if (failing) storage.failAt(failing.call, failing.fault);
    const { status } = await ask(allowedPerson(rows[name]!), rows[name]!.ask, rows[name]!.send);
    const calls = storage.calls.total - start;
    const isCommit = (call: number) => storage.commits.has(start + call);
    // What nobody has touched is what it was, and so it stays after the maintenance.
    return { status, calls, isCommit, after: storage.isTouched ? await maintained({ storage, clock }) : before };
  }

  let before: Map<string, string>;
  beforeAll(async () => {
    before = await maintained(await stage());
  });

  /** What a storage holds once a later process has done the work that waits. */
  async function maintained({ storage, clock }: Pick<Awaited<ReturnType<typeof stage>>, "storage" | "clock">) {
    const later = () => new Date(clock.now.getTime() + 2 * HOUR);
    const { api: next } = open(storage.survivor, {
      fetch: web,
      translator: mute,
      ask: parrot,
      now: later,
      random: seeded(3),
    });
    // What long work has left over is swept away by the next one.
    if ((await next.maintain()).jobs > 0) await next.maintain();
    // The same, sealed twice, is two texts.
    return dump(storage.survivor, createSecrets([SECRET], seeded(1)));
  }

  /** Most are the same to the letter; only the others have to be settled first. */
  const isSame = (a: Map<string, string>, b: Map<string, string>) => isEqual(a, b) || isEqual(settled(a), settled(b));
  function expectSame(actual: Map<string, string>, wanted: Map<string, string>, told: string): void {
    if (!isSame(actual, wanted)) expect(settled(actual), told).toEqual(settled(wanted));
  }

  const writes = byName.filter(([, { definition: operation }]) => operation.method !== "GET");
  test.each(writes)("%s is complete or has no effect when any call of the storage fails", async (name) => {
    const good = await finished(name);
    expect(good.status).toBeLessThan(300);
    expect(good.calls).toBeGreaterThan(2);
    // On a long way some reads stand for those beside them; a long run fails every one. No commit is left out.
    const stride = isLongRun ? 1 : Math.ceil(good.calls / 4);
    for (const fault of ["before", "answer lost", "crash"] as const) {
      for (let call = 1; call <= good.calls; call++) {
        // Only a commit has an answer that can be lost; for every other call it is the same as `before`.
        if (fault === "answer lost" && !good.isCommit(call)) continue;
        if (fault === "before" && !good.isCommit(call) && call % stride > 0) continue;
        // A process that ends between two commits leaves the same behind wherever it does.
        const isBetween = !good.isCommit(call) && call > 1 && !good.isCommit(call - 1);
        if (fault === "crash" && isBetween) continue;
        const { status, after } = await finished(name, { call, fault });
        const told = `call ${call}, ${fault}: ${status}`;
        if (status < 300) expectSame(after, good.after, told);
        else {
          expect(status, told).toBe(503);
          if (fault !== "answer lost" || isSame(after, before)) expectSame(after, before, told);
          else expectSame(after, good.after, told);
        }
      }
    }
  });
});

describe("law 7: every id in a body or query is authorized", () => {
  test.each(byName)("%s authorizes every id in its body and query", async (name, { definition: operation }) => {
    const { body, query } = operation.spec;
    const ids = [...idsIn(body), ...Object.entries(query ?? {}).flatMap(([at, schema]) => idsIn(schema, at))];
    const foreign = rows[name]!.foreign ?? [];
    for (const at of ids) expect(foreign.map((it) => it.at)).toContain(at);
    for (const { as, ask: route, send, finds } of foreign) {
      const { storage, ask } = await stage();
      const answer = await ask(as ?? allowedPerson(rows[name]!), route ?? rows[name]!.ask, send);
      if (finds === "nothing") expect(answer.body?.count ?? 0).toBe(0);
      else expect([400, 404]).toContain(answer.status);
      expectEqual(await dump(storage), untouched);
    }
  });

  /** Where a schema holds ids, as dotted paths; arrays add nothing to the path. */
  function idsIn(schema: unknown, at = ""): string[] {
    if (schema === Id) return [at];
    if (typeof schema !== "object" || schema === null) return [];
    const { entries, wrapped, item, options, pipe } = schema as Record<string, unknown>;
    const inside = Array.isArray(options) ? options : [];
    // A description may follow.
    if (Array.isArray(pipe) && pipe[0] === Id) return [at];
    const piped = Array.isArray(pipe) ? pipe.slice(1) : [];
    return [
      ...Object.entries((entries ?? {}) as object).flatMap(([name, member]) =>
        idsIn(member, at ? `${at}.${name}` : name),
      ),
      ...[wrapped, item, ...inside, ...piped].flatMap((part) => idsIn(part, at)),
    ];
  }
});

describe("law 9: every operation has its own scenario with a refusal", () => {
  const scenes = stories.flatMap((story) =>
    story.scenes.map((scene) => ({ scene, name: operationAt(scene.ask)?.name })),
  );

  test.each(byName)("%s has a scenario that succeeds and one that is refused", (name, { definition: operation }) => {
    const mine = scenes.filter((it) => it.name === name).map((it) => it.scene.expect);
    expect(mine.some((status) => status < 300)).toBe(true);
    if (operation.spec.target.allowsAnonymous) return;
    expect(mine.some((status) => status >= 400)).toBe(true);
  });

  test("no successful scenario contains a path that leads nowhere", () => {
    expect(scenes.filter((it) => it.scene.expect < 400 && !it.name).map((it) => it.scene.ask)).toEqual([]);
  });
});

describe("law 7: a token reaches exactly the operations of its scopes", () => {
  test.each(byName)("%s is reachable with exactly the scopes that it names", async (name, { scope }) => {
    if (isOpen(name)) return;
    const { ask, askWith } = await stage();
    const person = allowedPerson(rows[name]!);
    const all = [...new Set(table.filter((named) => !isOpen(named.name)).map((named) => named.scope))];
    const makes = async (scopes: string[]) =>
      (await ask(person, "POST /v1/user/tokens", { label: "x", scopes })).body.token;
    const others = await makes(all.filter((other) => other.split(":")[0] !== scope.split(":")[0]));
    const refused = await askWith(others, rows[name]!.ask, rows[name]!.send);
    expect(refused.body.error.reason).toBe("scope_missing");
    const { alsoScopes = [] } = rows[name]!;
    for (const missing of alsoScopes) {
      const fewer = await makes([scope, ...alsoScopes.filter((it) => it !== missing)]);
      const answer = await askWith(fewer, rows[name]!.ask, rows[name]!.send);
      expect(answer.body.error.reason).toBe("scope_missing");
    }
    const just = await makes([scope, ...alsoScopes]);
    expect((await askWith(just, rows[name]!.ask, rows[name]!.send)).status).toBeLessThan(300);
  });

  test("every operation has the scope of its module", () => {
    for (const { scope, resource: room } of table) expect(scope).toMatch(new RegExp(`^${room}:(read|write)$`));
  });
});

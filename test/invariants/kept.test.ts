// Law 8: what an operation declares of its answers. A GET whose answers are kept costs two snapshots the second time, the
// directory's and that of its partition, and nothing is read. What is kept is what would be answered anew.

import type { Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { beforeAll, expect, test } from "vitest";
import { BinarySchema } from "../../src/operation/binary-response";
import { allOperations } from "../../src/operations";
import { web } from "../resources/content/imports-web";
import { HOUR, open, setUp } from "../support/setting";
import { allowedPerson, type Cast, type Example, examples, mute, parrot, prepare } from "./examples";
import { copierOf, watch } from "./faults";

const gets = allOperations().filter(
  ({ definition: operation }) => operation.method === "GET" && operation.spec.returns !== BinarySchema,
);

/** What looks into other partitions, or asks an integration: nothing says here when that has changed. And what holds a
 * secret, which stays in no memory. */
const notKept = new Set([
  "getPublishingAuth",
  "getUser",
  "getPublishingAuth",
  "listOrganizations",
  "listOrganizationsByEmailDomain",
  "getSubdomain",
  "searchSpace",
  "searchOrganization",
  "listIntegrations",
  "getIntegration",
  "listIntegrationEvents",
  "getIntegrationEvent",
  "listIntegrationSites",
  "listIntegrationSpaces",
  "listInstallations",
  "listOrganizationInstallations",
  "getInstallation",
  "listInstallationSites",
  "getSiteInstallation",
  "listInstallationSpaces",
  "getSpaceInstallation",
  "listTasks",
  "getTask",
  "listOrganizationIntegrations",
  "listSpaceIntegrations",
  "listSpaceIntegrationBlocks",
  "listBlocksOfSpace",
  "listSpaceIntegrationScripts",
  "getInstallationStatus",
  "listInstallationStatuses",
  "listSiteIntegrations",
  "listSiteIntegrationScripts",
  "getEmbed",
  "getCustomHostname",
  "getSitePreviewUrl",
  "getContentByUrl",
]);
const kept = gets.filter(({ name }) => !notKept.has(name));

let copy: () => Storage;
let cast: Cast;
let rows: Record<string, Example>;

beforeAll(async () => {
  const base = memoryStorage();
  cast = await prepare(await setUp(base, { fetch: web, translator: mute, ask: parrot }));
  rows = examples(cast);
  copy = copierOf(base);
});

async function stage() {
  const storage = watch(copy());
  const errors: unknown[] = [];
  const options = { fetch: web, translator: mute, ask: parrot, onError: (error: unknown) => void errors.push(error) };
  const opened = open(storage, options);
  opened.clock.now = cast.clock.now;
  const cost = async (name: string) => {
    const { total, reads } = storage.calls;
    const { ask } = rows[name]!;
    const answer = await opened.askWith(cast.tokens[allowedPerson(rows[name]!)], ask);
    const cost = { calls: storage.calls.total - total, reads: storage.calls.reads - reads };
    return { ...cost, status: answer.status, body: answer.body };
  };
  return { ...opened, storage, options, errors, cost };
}

test.each(kept.map(({ name }) => name))("%s costs two snapshots when it is repeated", async (name) => {
  const { cost, errors } = await stage();
  const first = await cost(name);
  const second = await cost(name);
  expect(first.status).toBe(200);
  expect(second).toEqual({ ...first, calls: expect.any(Number), reads: 0 });
  expect(second.calls).toBeLessThanOrEqual(2);
  expect(errors).toEqual([]);
});

test.each(kept.map(({ name }) => name))(
  "%s returns from the cache after an hour what it would compute",
  async (name) => {
    const { cost, clock, storage, options } = await stage();
    clock.now = new Date(Math.floor(clock.now.getTime() / HOUR) * HOUR);
    await cost(name);
    clock.forward(HOUR - 1);
    const later = await cost(name);
    const fresh = open(storage, options);
    fresh.clock.now = clock.now;
    const { ask } = rows[name]!;
    const anew = await fresh.askWith(cast.tokens[allowedPerson(rows[name]!)], ask);
    expect(later.body).toEqual(anew.body);
  },
);

test.each([...notKept])("%s is read again after a change", async (name) => {
  const { cost, errors } = await stage();
  await cost(name);
  expect((await cost(name)).reads).toBeGreaterThan(0);
  expect(errors).toEqual([]);
});

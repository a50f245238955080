// Operations whose effect is finished by a job, one after the other, with processes that end at every call of the storage.
// What was acknowledged happens, and of two that contradict each other the last one counts: a job that was left behind never
// undoes a later answer. The state in the end is compared with that of the same operations without a crash, each with
// its jobs done before the next one begins.

import type { DocsApi } from "octavo";
import { type MemoryStorage, memoryStorage } from "octavo/memory";
import { beforeAll, describe, expect, test } from "vitest";
import { getApiInternals } from "../../../src/api/internals";
import { grants } from "../../../src/resources/library/grants/records";
import { sessions } from "../../../src/resources/people/sessions/records";
import { tokens } from "../../../src/resources/people/tokens/records";
import { createSignIn } from "../../../src/sign-in";
import { DIRECTORY, getOrganizationPartition } from "../../../src/storage/ids";
import { reversed } from "../../content/translation/translators";
import { watch } from "../../invariants/faults";
import { type Answer, HOUR, open, type Person, type Setting, seeded, setUp } from "../../support/setting";
import { client, remote, WITH_PASSWORD } from "../content/git-sync-remote";

type Names = Record<string, string>;
type Ask = (as: Person, route: string, send?: unknown) => Promise<Answer>;
interface Process {
  readonly ask: Ask;
  /** Asks as the directory of the organization. */
  readonly askScim: (route: string, send?: unknown) => Promise<Response>;
  readonly api: DocsApi;
}
/** One operation. It may remember ids for those after it. */
type Step = (
  process: Process,
  names: Names,
) => Promise<{ readonly status: number; readonly body?: Answer["body"] | null }>;

interface Chain {
  readonly title: string;
  /** What there is before the first step. */
  readonly first?: readonly Step[];
  readonly steps: readonly Step[];
  /** What must not depend on when jobs ran. */
  readonly see: (process: Process, names: Names) => Promise<unknown>;
}

let mails: string[] = [];
let restoreRemote: () => void;
const options = {
  fetch: async () => new Response(null, { status: 404 }),
  git: { client },
  translator: async ({ texts }: { texts: readonly string[] }) => texts.map(reversed),
  sendMail: async ({ to }: { to: string }) => void mails.push(to),
  onError: () => {},
};

let base: MemoryStorage;
let setting: Setting;
let names: Names;

beforeAll(async () => {
  remote.reset({ "README.md": "# Home\n\nWelcome.\n" });
  restoreRemote = remote.remember();
  base = memoryStorage();
  setting = await setUp(base, options);
  const { ask, org, otherOrg, ids } = setting;
  const idOf = async (answer: Promise<Answer>) => {
    const { status, body } = await answer;
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body.id as string;
  };
  const door = await idOf(ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "admin" }));
  await ask("admin", `POST /v1/orgs/${otherOrg}/invites/${door}`);
  const collection = await idOf(ask("admin", `POST /v1/orgs/${org}/collections`, { title: "Shelf" }));
  const there = await idOf(ask("admin", `POST /v1/orgs/${otherOrg}/collections`, { title: "Their shelf" }));
  const space = await idOf(ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Guide" }));
  const inside = await idOf(ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Book", parent: collection }));
  // It came from the other organization, so a transfer there and back again is a repeated one.
  const sent = await idOf(ask("admin", `POST /v1/orgs/${otherOrg}/spaces`, { title: "Came here" }));
  expect((await ask("admin", `POST /v1/spaces/${sent}/transfer`, { organization: org })).status).toBe(200);
  await ask("admin", `POST /v1/spaces/${space}/content`, {
    changes: [{ operation: "insert_page", title: "A page", document: { markdown: "Some words." } }],
  });
  const site = await idOf(ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Docs", spaces: [space] }));
  await ask("admin", `PATCH /v1/orgs/${org}`, { emailDomains: ["example.com"], hostname: "acme-docs" });
  const scim = (await ask("admin", `POST /v1/orgs/${org}/scim-tokens`, { label: "Directory" })).body.token as string;
  names = { org, otherOrg, collection, there, space, inside, sent, site, scim, review: ids.review };
});

const SCIM = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

function processOn(storage: MemoryStorage | ReturnType<typeof watch>, seed: number, now: Date) {
  const { api, askWith, clock } = open(storage, { ...options, random: seeded(seed) });
  clock.now = now;
  const signIn = createSignIn(api);
  const ask: Ask = (as, route, send) => askWith(setting.tokens[as], route, send);
  const askScim: Process["askScim"] = async (route, send) => {
    const [method, path] = route.split(" ") as [string, string];
    const headers = { authorization: `Bearer ${names.scim}`, "content-type": "application/scim+json" };
    const body = send === undefined ? null : JSON.stringify(send);
    const { org } = setting;
    return signIn.fetch(new Request(`http://localhost:3000/scim/v2/${org}${path}`, { method, headers, body }));
  };
  return { api, ask, askScim, clock };
}

/** Does all the work that waits, as often as something may come of it. */
async function maintain(storage: MemoryStorage, seed: number, now: Date): Promise<Date> {
  const { api, clock } = processOn(storage, seed, now);
  for (let i = 0; i < 4; i++) {
    clock.forward(HOUR / 4);
    await api.maintain();
  }
  return clock.now;
}

interface Outcome {
  /** Which steps were acknowledged. */
  readonly acknowledged: readonly boolean[];
  readonly statuses: readonly (number | string)[];
  readonly seen: unknown;
  /** Of every step: the numbers of its calls at which a crash leaves something else behind than one before. */
  readonly moments: readonly (readonly number[])[];
}

/**
 * Runs the steps, each in a process of its own. `crashes` has the call at which the process of a step ends, `skipped` the
 * steps that are left out. `serial`: the jobs of a step are done before the next step.
 */
async function play(
  { first = [], steps, see }: Chain,
  { crashes = [], skipped = [], isSerial = false }: Plan = {},
): Promise<Outcome> {
  mails = [];
  restoreRemote();
  const storage = base.copy();
  const own: Names = { ...names };
  let now = new Date(setting.clock.now.getTime() + HOUR);
  for (const [i, step] of first.entries()) {
    const { status, body } = await step(processOn(storage, 100 + i, now), own);
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    now = await maintain(storage, 150 + i, now);
  }
  const acknowledged: boolean[] = [];
  const statuses: (number | string)[] = [];
  const moments: number[][] = [];
  for (const [i, step] of steps.entries()) {
    now = new Date(now.getTime() + 1000);
    if (skipped.includes(i)) {
      acknowledged.push(false);
      continue;
    }
    const watched = watch(storage);
    const crash = crashes[i];
    if (crash !== undefined) watched.failAt(crash, "crash");
    const { status, body = undefined } = await step(processOn(watched, 200 + i, now), own);
    acknowledged.push(status < 300);
    // An answer about a space says where it will be. That must be true in the end.
    if (body?.object === "space") own.told = body.organization;
    statuses.push(body?.error?.reason ?? status);
    // Between two commits a crash leaves the same behind wherever it comes.
    const isCommit = (call: number) => watched.commits.has(call);
    const calls = Array.from({ length: watched.calls.total }, (_, call) => call + 1);
    moments.push(calls.filter((call) => call > 1 && (isCommit(call) || isCommit(call - 1))));
    if (isSerial) now = await maintain(storage, 300 + i, now);
  }
  now = await maintain(storage, 400, now);
  now = await maintain(storage, 401, now);
  return { acknowledged, statuses, seen: await see(processOn(storage, 500, now), own), moments };
}
interface Plan {
  readonly crashes?: readonly (number | undefined)[];
  readonly skipped?: readonly number[];
  readonly isSerial?: boolean;
}

const transfer =
  (what: "spaces" | "collections", id: string, to: string, collection?: string): Step =>
  ({ ask }, it) =>
    ask("admin", `POST /v1/${what}/${it[id]}/transfer`, {
      organization: it[to],
      ...(collection ? { collection: it[collection] } : {}),
    });
const remove =
  (what: string, id: string): Step =>
  ({ ask }, it) =>
    ask("admin", `DELETE /v1/${what}/${it[id]}`);
const restore =
  (id: string): Step =>
  ({ ask }, it) =>
    ask("admin", `POST /v1/spaces/${it[id]}/restore`);
const move =
  (id: string, parent: string | null): Step =>
  ({ ask }, it) =>
    ask("admin", `POST /v1/spaces/${it[id]}/move`, { parent: parent === null ? null : it[parent] });
const patchOrg =
  (as: "admin" | "rival", org: string, send: object): Step =>
  ({ ask }, it) =>
    ask(as, `PATCH /v1/orgs/${it[org]}`, send);
const patchSite =
  (send: object): Step =>
  ({ ask }, it) =>
    ask("admin", `PATCH /v1/orgs/${it.org}/sites/${it.site}`, send);
const setActive =
  (active: boolean): Step =>
  ({ askScim }, it) =>
    askScim(`PATCH /Users/${it.review}`, {
      schemas: [SCIM],
      Operations: [{ op: "replace", path: "active", value: active }],
    });
/** Remembers the id of what a step made. */
const keep =
  (name: string, step: Step): Step =>
  async (process, it) => {
    const answer = await step(process, it);
    if (answer.body?.id) it[name] = answer.body.id;
    return answer;
  };
const git =
  (direction: "import" | "export"): Step =>
  ({ ask }, it) =>
    ask("admin", `POST /v1/spaces/${it.space}/git/${direction}`, {
      url: WITH_PASSWORD,
      ref: "refs/heads/main",
      ...(direction === "export" ? { commitMessage: "From here" } : {}),
    });

/** Whether a space is where the last answer said, where it depends on when jobs ran which place that is. */
const seeAsTold =
  (id: string): Chain["see"] =>
  async ({ ask }, it) => {
    const { status, body } = await ask("admin", `GET /v1/spaces/${it[id]}`);
    if (body.deletedAt) return { isDeleted: true };
    return { status, isAsTold: it.told === undefined || body.organization === it.told, transfer: body.transfer };
  };

/** Where things are, and in which state. A space in the trash may be in either organization. */
const seeSpaces =
  (...ids: string[]): Chain["see"] =>
  async ({ ask }, it) =>
    Promise.all(
      ids.map(async (id) => {
        const { status, body } = await ask("admin", `GET /v1/spaces/${it[id]}`);
        if (body.deletedAt) return { id, isDeleted: true };
        return { id, status, organization: body.organization, parent: body.parent, transfer: body.transfer };
      }),
    );
const seeOrg =
  (as: "admin" | "rival", org: string, ...fields: string[]): Chain["see"] =>
  async ({ ask }, it) => {
    const { body } = await ask(as, `GET /v1/orgs/${it[org]}`);
    return fields.map((field) => body[field]);
  };

/** Someone who belongs to the organization alone comes in with a browser, and has a token. */
const enterAnn: Step = async ({ askScim, api }, it) => {
  const made = await askScim("POST /Users", {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
    userName: "ann@example.com",
    emails: [{ primary: true, type: "work", value: "ann@example.com" }],
    displayName: "Ann",
  });
  const { id } = (await made.json()) as { id: string };
  Object.assign(it, { ann: id });
  const { kernel } = getApiInternals(api);
  const now = kernel.store.now();
  const at = { id: "one", user: id, createdAt: now.toISOString() };
  const lasting = { idleMs: 100 * HOUR, endsAt: new Date(now.getTime() + 100 * HOUR).toISOString() };
  const used = { by: "link" as const, passed: [], seenAt: at.createdAt };
  await kernel.store.write(DIRECTORY, async (tx) => {
    await sessions.put(tx, { ...at, ...used, ...lasting, hash: "session-of-ann" });
    await tokens.put(tx, { ...at, hash: "token-of-ann", label: "Hers", scopes: null, expiresAt: null });
  });
  return { status: made.status };
};
const setAnnActive =
  (active: boolean): Step =>
  ({ askScim }, it) =>
    askScim(`PATCH /Users/${it.ann}`, {
      schemas: [SCIM],
      Operations: [{ op: "replace", path: "active", value: active }],
    });
const seeAnn: Chain["see"] = async ({ ask, api }, it) => {
  const view = await getApiInternals(api).kernel.store.read(DIRECTORY);
  const member = await ask("admin", `GET /v1/orgs/${it.org}/members/${it.ann}`);
  return {
    isActive: member.status === 200 && !member.body.disabled,
    session: await sessions.get(view, "session-of-ann"),
    token: await tokens.get(view, "token-of-ann"),
  };
};

/** More grants than one commit removes. */
const giveMuch: Step = async ({ api }, it) => {
  const { store } = getApiInternals(api).kernel;
  for (let i = 0; i < 8; i++)
    await store.write(getOrganizationPartition(it.org!), async (tx) => {
      for (let k = 0; k < 60; k++)
        await grants.put(tx, {
          node: `${it.space}-${i}-${k}`,
          kind: "user",
          grantee: it.review!,
          role: "edit",
          createdAt: "2026-03-01T09:00:00.000Z",
        });
    });
  return { status: 200 };
};
const seeGrants: Chain["see"] = async ({ api, ...process }, it) => {
  const view = await getApiInternals(api).kernel.store.read(getOrganizationPartition(it.org!));
  const rows = await grants.list(view, "ofGrantee", { under: ["user", it.review!], limit: 1000 });
  return { grants: rows.length, member: await seeMember({ api, ...process }, it) };
};

const scimOff = setActive(false);
const scimOn = setActive(true);
const publish =
  (as: Person): Step =>
  ({ ask }, it) =>
    ask(as, "POST /v1/integrations/bot", { visibility: "public", organization: as === "rival" ? it.otherOrg : it.org });
const unpublish =
  (as: Person): Step =>
  ({ ask }) =>
    ask(as, "DELETE /v1/integrations/bot");
const install: Step = keep("installation", ({ ask }, it) =>
  ask("admin", "POST /v1/integrations/bot/installations", { organization: it.org }),
);
const uninstall: Step = ({ ask }, it) => ask("admin", `DELETE /v1/integrations/bot/installations/${it.installation}`);
const seeIntegration: Chain["see"] = async ({ ask }, it) => {
  const found = await ask("rival", "GET /v1/integrations/bot");
  const listed = await ask("rival", "GET /v1/integrations");
  const installed = await ask("admin", `GET /v1/orgs/${it.org}/integrations`);
  return {
    status: found.status,
    owner: found.body.owner?.id,
    listed: listed.body.items.map(({ name }: { name: string }) => name),
    installed: installed.body.items.map(({ name }: { name: string }) => name),
  };
};
const invite: Step = async ({ ask }, it) => {
  const answer = await ask("admin", `POST /v1/orgs/${it.org}/invites`, { emails: ["new@example.org"], role: "read" });
  if (answer.status < 300) it.invite = answer.body.invites[0].id;
  return answer;
};
const leave: Step = ({ ask }, it) => ask("admin", `DELETE /v1/orgs/${it.org}/members/${it.review}`);
const rejoin: Step = async ({ ask }, it) => {
  const sent = { emails: ["review@example.com"], role: "comment" };
  const made = await ask("admin", `POST /v1/orgs/${it.org}/invites`, sent);
  const id = made.body?.invites?.[0]?.id;
  return id === undefined ? made : ask("review", `POST /v1/orgs/${it.org}/invites/${id}`);
};
const seeMember: Chain["see"] = async ({ ask }, it) => {
  const { status, body } = await ask("admin", `GET /v1/orgs/${it.org}/members/${it.review}`);
  const own = (await ask("review", "GET /v1/orgs")).body.items?.map(({ id }: { id: string }) => id);
  const spaces = await ask("admin", `GET /v1/orgs/${it.org}/members/${it.review}/spaces`);
  return { status, role: body.role, disabled: body.disabled, own, spaces: spaces.body.count };
};
const spec =
  (slug: string, text: string): Step =>
  ({ ask }, it) =>
    ask("admin", `PUT /v1/orgs/${it.org}/openapi/${slug}`, {
      source: { text: JSON.stringify({ openapi: "3.1.0", info: { title: text, version: "1" }, paths: {} }) },
    });
const removeSpec: Step = ({ ask }, it) => ask("admin", `DELETE /v1/orgs/${it.org}/openapi/pets`);
const seeSpec: Chain["see"] = async ({ ask }, it) => {
  const { status, body } = await ask("admin", `GET /v1/orgs/${it.org}/openapi/pets`);
  const content = await ask("admin", `GET /v1/orgs/${it.org}/openapi/pets/versions/latest/content`);
  return { status, state: body.processingState, title: JSON.stringify(content.body).includes("Second") };
};
const translate: Step = keep("translation", ({ ask }, it) =>
  ask("admin", `POST /v1/orgs/${it.org}/translations`, { language: "de", source: { space: it.space } }),
);
const stopTranslating: Step = ({ ask }, it) => ask("admin", `DELETE /v1/orgs/${it.org}/translations/${it.translation}`);
const seeTranslations: Chain["see"] = async ({ ask }, it) => {
  // What is translated of a space in the trash depends on when that was found out.
  if ((await ask("admin", `GET /v1/spaces/${it.space}`)).body.deletedAt) return "deleted";
  const { body } = await ask("admin", `GET /v1/orgs/${it.org}/translations`);
  return body.items.map(({ language, status, stats }: never) => [language, status, (stats as { runs: number }).runs]);
};
const seeGit: Chain["see"] = async ({ ask }, it) => {
  const { body } = await ask("admin", `GET /v1/spaces/${it.space}/git/info`);
  const { pages } = (await ask("admin", `GET /v1/spaces/${it.space}/content/pages`)).body;
  return {
    waiting: body.waiting,
    lastRun: body.lastRun?.status,
    kind: body.lastRun?.operation,
    titles: pages?.map(({ title }: { title: string }) => title).sort(),
  };
};

const chains: Chain[] = [
  {
    title: "a space is transferred, and back",
    steps: [transfer("spaces", "sent", "otherOrg"), transfer("spaces", "sent", "org")],
    see: seeSpaces("sent"),
  },
  {
    title: "a space is transferred, and back by somebody it did not come from",
    steps: [transfer("spaces", "space", "otherOrg"), transfer("spaces", "space", "org")],
    see: seeSpaces("space"),
  },
  {
    title: "a space is transferred, and again into a collection",
    steps: [transfer("spaces", "space", "otherOrg"), transfer("spaces", "space", "otherOrg", "there")],
    see: seeSpaces("space"),
  },
  {
    title: "a space is transferred, deleted and restored",
    steps: [transfer("spaces", "space", "otherOrg"), remove("spaces", "space"), restore("space")],
    see: seeAsTold("space"),
  },
  {
    title: "a space is deleted and restored",
    steps: [remove("spaces", "space"), restore("space")],
    see: seeSpaces("space"),
  },
  {
    title: "a space is transferred, and its collection deleted",
    steps: [transfer("spaces", "inside", "otherOrg"), remove("collections", "collection")],
    see: seeSpaces("inside"),
  },
  {
    title: "a collection is transferred, and a space in it elsewhere",
    steps: [transfer("collections", "collection", "otherOrg"), transfer("spaces", "inside", "org")],
    see: seeSpaces("inside"),
  },
  {
    title: "a collection is transferred, and a space taken out of it",
    steps: [transfer("collections", "collection", "otherOrg"), move("inside", null)],
    see: seeAsTold("inside"),
  },
  {
    title: "a collection is transferred, and deleted",
    steps: [transfer("collections", "collection", "otherOrg"), remove("collections", "collection")],
    see: seeSpaces("inside"),
  },
  {
    title: "a collection is deleted, and a space of it restored",
    steps: [remove("collections", "collection"), restore("inside")],
    see: seeSpaces("inside"),
  },
  {
    title: "an invite is made, and taken back",
    steps: [invite, ({ ask }, it) => ask("admin", `DELETE /v1/orgs/${it.org}/invites/${it.invite}`)],
    see: async ({ ask }, it) => (await ask("admin", `GET /v1/orgs/${it.org}/invites`)).body.count,
  },
  { title: "a member is switched off, and on", steps: [scimOff, scimOn], see: seeMember },
  { title: "a member is switched off, on and off", steps: [scimOff, scimOn, scimOff], see: seeMember },
  {
    title: "a person of the organization alone is switched off, and on",
    first: [enterAnn],
    steps: [setAnnActive(false), setAnnActive(true)],
    see: seeAnn,
  },
  {
    title: "a person of the organization alone is switched off, on and off",
    first: [enterAnn],
    steps: [setAnnActive(false), setAnnActive(true), setAnnActive(false)],
    see: seeAnn,
  },
  {
    title: "a member with very many grants leaves, and joins again",
    first: [giveMuch],
    steps: [leave, rejoin],
    see: seeGrants,
  },
  { title: "a member leaves, and joins again", steps: [leave, rejoin], see: seeMember },
  { title: "a member leaves, joins again and leaves", steps: [leave, rejoin, leave], see: seeMember },
  {
    title: "an integration is published, and unpublished",
    steps: [publish("admin"), unpublish("admin")],
    see: seeIntegration,
  },
  {
    title: "an integration is unpublished, and published again",
    first: [publish("admin"), install],
    steps: [unpublish("admin"), publish("admin")],
    see: seeIntegration,
  },
  {
    title: "an integration is unpublished, and its name taken by others",
    first: [publish("admin"), install],
    steps: [unpublish("admin"), publish("rival")],
    see: seeIntegration,
  },
  {
    title: "an integration is uninstalled, and installed again",
    first: [publish("admin"), install],
    steps: [uninstall, install],
    see: seeIntegration,
  },
  {
    title: "an integration is unpublished, published and installed",
    first: [publish("admin"), install],
    steps: [unpublish("admin"), publish("admin"), install],
    see: seeIntegration,
  },
  {
    title: "a hostname is given up, and taken again",
    steps: [patchOrg("admin", "org", { hostname: "other-docs" }), patchOrg("admin", "org", { hostname: "acme-docs" })],
    see: async (process, it) => [
      await seeOrg("admin", "org", "hostname")(process, it),
      (await process.ask("admin", "GET /v1/subdomains/acme-docs")).body?.target?.organization,
      (await process.ask("admin", "GET /v1/subdomains/other-docs")).status,
    ],
  },
  {
    title: "a hostname is given up, and taken by others",
    steps: [
      patchOrg("admin", "org", { hostname: "other-docs" }),
      patchOrg("rival", "otherOrg", { hostname: "acme-docs" }),
    ],
    see: async (process, it) => [
      await seeOrg("admin", "org", "hostname")(process, it),
      await seeOrg("rival", "otherOrg", "hostname")(process, it),
      (await process.ask("admin", "GET /v1/subdomains/acme-docs")).body?.target?.organization,
    ],
  },
  {
    title: "e-mail domains are taken away, and given again",
    steps: [
      patchOrg("admin", "org", { emailDomains: [] }),
      patchOrg("admin", "org", { emailDomains: ["example.com"] }),
    ],
    see: async ({ ask }) => (await ask("admin", "GET /v1/email-domains/example.com/orgs")).body.organizations.length,
  },
  {
    title: "the host of a site is given up, and taken again",
    first: [patchSite({ hostname: "docs.acme.example" })],
    steps: [patchSite({ hostname: null }), patchSite({ hostname: "docs.acme.example" })],
    see: async ({ ask }, it) => (await ask("admin", `GET /v1/orgs/${it.org}/sites/${it.site}`)).body.urls,
  },
  {
    title: "the host of a site is given up, and the site deleted",
    first: [patchSite({ hostname: "docs.acme.example" })],
    steps: [patchSite({ hostname: null }), ({ ask }, it) => ask("admin", `DELETE /v1/orgs/${it.org}/sites/${it.site}`)],
    see: async ({ ask }, it) => (await ask("admin", `GET /v1/orgs/${it.org}/sites/${it.site}`)).status,
  },
  {
    title: "a specification is deleted, and made again",
    first: [spec("pets", "First")],
    steps: [removeSpec, spec("pets", "Second")],
    see: seeSpec,
  },
  {
    title: "a specification is replaced, and deleted",
    first: [spec("pets", "First")],
    steps: [spec("pets", "Second"), removeSpec],
    see: seeSpec,
  },
  {
    title: "a specification is replaced twice",
    first: [spec("pets", "First")],
    steps: [spec("pets", "Third"), spec("pets", "Second")],
    see: seeSpec,
  },
  { title: "a translation is made, and ended", steps: [translate, stopTranslating], see: seeTranslations },
  {
    title: "a translation is ended, and made again",
    first: [translate],
    steps: [stopTranslating, translate],
    see: seeTranslations,
  },
  {
    title: "a translation is made, and its source deleted and restored",
    steps: [translate, remove("spaces", "space"), restore("space")],
    see: seeTranslations,
  },
  { title: "a repository is imported, and exported to", steps: [git("import"), git("export")], see: seeGit },
  {
    title: "a repository is imported, and the synchronization ended",
    steps: [git("import"), ({ ask }, it) => ask("admin", `DELETE /v1/spaces/${it.space}/git/legacy-installation`)],
    // What waits in the queue ends with the synchronization, so the content may be from before or after it.
    see: async (process, it) => ({ ...((await seeGit(process, it)) as object), titles: undefined }),
  },
  {
    title: "a repository is imported, and the space transferred",
    steps: [git("import"), transfer("spaces", "space", "otherOrg")],
    see: seeSpaces("space"),
  },
];

describe.each(chains)("$title", (chain) => {
  const serial = new Map<string, Promise<Outcome>>();
  /** The same without a crash: what was not acknowledged is left out, and jobs are done at once. */
  const inOrder = (acknowledged: readonly boolean[]) => {
    const skipped = acknowledged.flatMap((isDone, i) => (isDone ? [] : [i]));
    const known = serial.get(skipped.join()) ?? play(chain, { skipped, isSerial: true });
    serial.set(skipped.join(), known);
    return known;
  };

  test("the last acknowledged request takes effect, wherever processes end", async () => {
    const good = await play(chain, { isSerial: true });
    expect(good.acknowledged[0], JSON.stringify(good.statuses)).toBe(true);
    const check = async (crashes: readonly (number | undefined)[]) => {
      const outcome = await play(chain, { crashes });
      const wanted = await inOrder(outcome.acknowledged);
      const told = `${JSON.stringify(crashes)}: ${JSON.stringify(outcome.statuses)}`;
      expect(outcome.seen, told).toEqual(wanted.seen);
      return outcome;
    };
    const [first = []] = good.moments;
    // The moment after the first commit: the operation is acknowledged, and none of its jobs has begun. Undefined: it has no
    // job that runs at once.
    let decisive: number | undefined;
    for (const call of first) {
      const { acknowledged } = await check([call]);
      if (acknowledged[0]) decisive ??= call;
    }
    for (let next = 1; next < chain.steps.length; next++) {
      const before = Array.from({ length: next }, () => decisive);
      const { moments } = await play(chain, { crashes: before });
      for (const call of [...(moments[next] ?? []), undefined]) await check([...before, call]);
    }
  });
});

// The setting of a test: an API on a storage, with a clock and random bytes that the test decides; an organization with
// a member of every role, another organization, and a stranger.

import { type Batch, createDocsApi, type DocsApi, type DocsApiOptions, type Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { roles } from "../../src/operation/common-schemas";
import { encodeKey } from "../../src/storage/key";
import { createSealedStorage, type Seal } from "../../src/storage/sealed-storage";
import type { Entry } from "../../src/storage/storage";
import { through } from "./through";

export const people = [...roles, "guest", "stranger", "rival"] as const;
/** A role in the organization; `rival` is the admin of the other one, `stranger` is in none. */
export type Person = (typeof people)[number];

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape, and says itself what it expects.
  readonly body: any;
}

export interface Setting<Kind extends Storage = Storage> {
  readonly api: DocsApi;
  readonly storage: Kind;
  /** The organization that everybody but the stranger and the rival is in. */
  readonly org: string;
  /** The rival's. */
  readonly otherOrg: string;
  readonly ids: Readonly<Record<Person, string>>;
  readonly tokens: Readonly<Record<Person, string>>;
  /** Asks with a token, or with none. */
  readonly askWith: ReturnType<typeof open>["askWith"];
  /** Asks as somebody, or as nobody; `route` is a method and a path. */
  readonly ask: (as: Person | null, route: string, send?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  readonly clock: { now: Date; forward(ms: number): void };
}

export const SECRET = "a secret of more than thirty-two characters";
export const START = "2026-03-01T09:00:00.000Z";
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The same seed gives the same chance. */
export function seeded(seed: number): (bytes: number) => Uint8Array {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) & 255;
  };
  return (bytes) => Uint8Array.from({ length: bytes }, next);
}

function isJson(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("application/json") === true;
}

/** Errors are shown; an answer that should have been declared as not kept fails its request. */
function reported(error: unknown): void {
  if (String(error).includes("its response cannot be cached")) throw error;
  console.error(error);
}

/** Opens an API on a storage and asks it. */
export function open(storage: Storage, options: DocsApiOptions = {}) {
  const clock = {
    now: new Date(START),
    forward(ms: number) {
      clock.now = new Date(clock.now.getTime() + ms);
    },
  };
  const api = createDocsApi(storage, {
    secret: SECRET,
    now: () => clock.now,
    // Other bytes than those that a setting was made with: nothing gets the id of something that is there.
    random: seeded(2),
    verifyDomain: () => true,
    onError: reported,
    ...options,
  });
  const askWith = async (token: string | null, route: string, send?: unknown, headers: Record<string, string> = {}) => {
    const [method, path] = route.split(" ") as [string, string];
    const given: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    if (send !== undefined) given["content-type"] = "application/json";
    const body = send === undefined ? null : typeof send === "string" ? send : JSON.stringify(send);
    const response = await api.fetch(
      new Request(`http://test.invalid${path}`, { method, headers: { ...given, ...headers }, body }),
    );
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? undefined : isJson(response) ? JSON.parse(text) : text,
    } as Answer;
  };
  return { api, clock, askWith };
}

/** Options that have no part in the setting up: what comes of it is the same with and without them. */
const IDLE = new Set<string>([
  "fetch",
  "translator",
  "ask",
  "verifyDomain",
  "sendMail",
  "imports",
  "git",
  "integrations",
  "openApiSpecs",
  "files",
  "pdf",
  "sandbox",
  "templates",
  "onError",
] satisfies (keyof DocsApiOptions)[]);

/** What setting up does to a storage, and how many random bytes it takes: the same every time. */
interface Prepared extends Pick<Setting, "org" | "otherOrg" | "ids" | "tokens"> {
  readonly commits: readonly Commit[];
  readonly until: Date;
  readonly drawn: number;
}
interface Commit {
  readonly partition: string;
  readonly batch: Batch;
}
let prepared: Promise<Prepared> | undefined;

async function prepareOnce(): Promise<Prepared> {
  const commits: Commit[] = [];
  const chance = counted(seeded(1));
  const { clock, ...setting } = await setUpByAsking(recording(memoryStorage(), commits), { random: chance.random });
  return { ...setting, commits, until: clock.now, drawn: chance.drawn() };
}

/** The storage with every commit that is made written down. */
function recording(inner: Storage, commits: Commit[]): Storage {
  return through(inner, {
    async commit(batch, go, partition) {
      const made = await go();
      if (made.ok) commits.push({ partition, batch: { ...batch, checks: [] } });
      return made;
    },
  });
}

/** Random bytes, and how many of them were drawn. */
function counted(source: (bytes: number) => Uint8Array) {
  let sum = 0;
  const random = (bytes: number) => {
    sum += bytes;
    return source(bytes);
  };
  return { random, drawn: () => sum };
}

/** Sets everything up in an empty storage: by asking the first time, and afterwards with the commits that came of it, so that
 * entries and partitions have the same versions, too. */
export async function setUp<Kind extends Storage>(storage: Kind, options: DocsApiOptions = {}): Promise<Setting<Kind>> {
  if (!Object.keys(options).every((name) => IDLE.has(name))) return setUpByAsking(storage, options);
  prepared ??= prepareOnce();
  const { commits, until, drawn, org, otherOrg, ids, tokens } = await prepared;
  for (const { partition, batch } of commits) await storage.partition(partition).commit(batch);
  const chance = counted(seeded(1));
  const { api, clock, askWith } = open(storage, { random: chance.random, ...options });
  chance.random(drawn - chance.drawn());
  await api.ready();
  clock.now = until;
  const ask: Setting["ask"] = (as, route, send, headers) => askWith(as && tokens[as], route, send, headers);
  return { api, storage, org, otherOrg, ids: { ...ids }, tokens: { ...tokens }, ask, askWith, clock };
}

/** Sets everything up, through the API itself wherever it can. */
async function setUpByAsking<Kind extends Storage>(storage: Kind, options: DocsApiOptions): Promise<Setting<Kind>> {
  const { api, clock, askWith } = open(storage, { random: seeded(1), ...options });
  const ids = {} as Record<Person, string>;
  const tokens = {} as Record<Person, string>;
  for (const person of people) {
    const made = await api.provision({
      user: { displayName: `The ${person}`, email: `${person}@example.com` },
      token: { label: "test", value: `token-of-the-${person}` },
    });
    ids[person] = made.user;
    tokens[person] = made.token!;
  }
  const ask: Setting["ask"] = (as, route, send, headers) => askWith(as && tokens[as], route, send, headers);
  const org = (await ask("admin", "POST /v1/orgs", { title: "Acme" })).body.id as string;
  const otherOrg = (await ask("rival", "POST /v1/orgs", { title: "Rival" })).body.id as string;
  for (const person of [...roles, "guest" as const]) {
    if (person === "admin") continue;
    clock.forward(1000);
    const role = person === "guest" ? null : person;
    const made = await ask("admin", `POST /v1/orgs/${org}/invites`, { emails: [`${person}@example.com`], role });
    const joined = await ask(person, `POST /v1/orgs/${org}/invites/${made.body.invites[0].id}`);
    if (joined.status !== 200) throw new Error(`The ${person} could not join: ${JSON.stringify(joined.body)}`);
  }
  return { api, storage, org, otherOrg, ids, tokens, ask, askWith, clock };
}

/** As if the secret of a storage were not known: then every other one opens it. */
export async function forgetSecret(storage: Storage): Promise<void> {
  await storage.partition("directory").commit({ checks: [], puts: [], deletes: [encodeKey("secret")], adds: [] });
}

/** An entry as text. */
interface Written {
  readonly key: string;
  readonly value: string;
}

/** Entries that were written before. Copies of a storage in memory share their entries, so most are written once. */
const inClear = new WeakMap<Entry, Written>();
const asStored = new WeakMap<Entry, Written>();

/** The keys of audit logs begin with this. What is in them depends on every request: `test/resources/people/audit-life.test.ts`. */
const LOGGED = encodeKey("audit").slice(0, -1);

/** Every entry of a storage, as text, but for audit logs: two equal dumps hold the same. With `seal`, what is sealed is
 * opened. */
export async function dump(storage: Storage, seal?: Seal): Promise<Map<string, string>> {
  const known = seal ? inClear : asStored;
  const entries = new Map<string, string>();
  for await (const name of storage.partitions()) {
    const snapshot = await storage.partition(name).snapshot();
    let after: string | undefined;
    for (;;) {
      const rows = await snapshot.list({ under: "", after, limit: 500 });
      const unknown = rows.filter((row) => !known.has(row));
      const values = seal ? await openedValues(createSealedStorage(storage, seal), name, unknown) : unknown;
      unknown.forEach((row, i) => {
        known.set(row, { key: `${name} ${JSON.stringify(row.key)}`, value: JSON.stringify(values[i]!.value) });
      });
      for (const row of rows) {
        if (row.key.startsWith(LOGGED)) continue;
        const { key, value } = known.get(row)!;
        entries.set(key, value);
      }
      if (rows.length < 500) break;
      after = rows.at(-1)!.key;
    }
  }
  return entries;
}

async function openedValues(storage: Storage, name: string, rows: readonly Entry[]) {
  return rows.length === 0 ? [] : (await storage.partition(name).snapshot()).get(rows.map(({ key }) => key));
}

// The setting of a test: an API on a storage, with a clock and random bytes that the test decides; an organization with
// a member of every role, another organization, and a stranger.

import { createDocsApi, type DocsApi, type DocsApiOptions, type Storage } from "octavo";
import { roles } from "../src/shapes";

export const people = [...roles, "guest", "stranger", "rival"] as const;
/** A role in the organization; `rival` is the admin of the other one, `stranger` is in none. */
export type Person = (typeof people)[number];

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape, and says itself what it expects.
  readonly body: any;
}

export interface Setting {
  readonly api: DocsApi;
  readonly storage: Storage;
  /** The organization that everybody but the stranger and the rival is in. */
  readonly org: string;
  /** The rival's. */
  readonly otherOrg: string;
  readonly ids: Readonly<Record<Person, string>>;
  readonly tokens: Readonly<Record<Person, string>>;
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
    random: seeded(1),
    verifyDomain: () => true,
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

/** Sets everything up, through the API itself wherever it can. */
export async function setUp(storage: Storage, options: DocsApiOptions = {}): Promise<Setting> {
  const { api, clock, askWith } = open(storage, options);
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
  return { api, storage, org, otherOrg, ids, tokens, ask, clock };
}

/** Every entry of a storage, as text: two equal dumps hold the same. */
export async function dump(storage: Storage): Promise<Map<string, string>> {
  const entries = new Map<string, string>();
  for await (const name of storage.partitions()) {
    const snapshot = await storage.partition(name).snapshot();
    let after: string | undefined;
    for (;;) {
      const rows = await snapshot.list({ under: "", after, limit: 500 });
      for (const row of rows) entries.set(`${name} ${JSON.stringify(row.key)}`, JSON.stringify(row.value));
      if (rows.length < 500) break;
      after = rows.at(-1)!.key;
    }
  }
  return entries;
}

// What one partition says of another. An organization decides who its members are, and the directory has a row of each, so that
// people find their organizations; an integration's owner has a row of each installation. A step writes such a row after the
// commit of its cause, so one that is not there, and that no job is about to write, is damage. The same holds for the users that
// members are, and for names that are used and must be held.

import type { JobContext, JobType } from "../../jobs/jobs";
import type { ClaimKind, Wish } from "../../storage/claims";
import { DIRECTORY, getOrganizationPartition } from "../../storage/ids";
import { encodeKey } from "../../storage/key";
import { placesOf, type Tuple } from "../../storage/records";
import { Corrupt, type Json, type Key } from "../../storage/storage";
import type { Store } from "../../storage/store";
import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import type { DamagedSnapshot } from "./damaged-snapshot";
import type { ReportFinding } from "./finding";

/** A record, of which only some members are known here. */
type Known = { readonly [member: string]: Json | undefined };

/** A row elsewhere that follows from a record. */
interface Row {
  readonly partition: string;
  readonly set: string;
  readonly primary: Tuple;
  /** Whether it says what the record does. */
  readonly agrees: (row: Known) => boolean;
  /** What writes it, and from what. */
  readonly step: string;
  readonly payload: Json;
}

/** What identifies an installation, as its steps are given it. */
interface Installation {
  readonly id: string;
  readonly definition: string;
  readonly owner: string;
  readonly organization: string;
}

/** The installations that were met so far, by their ids. */
type Installations = Map<string, Installation>;

/** The rows that follow from the records of a set. */
const rowsOf: Readonly<Record<string, (record: Known, organization: string, met: Installations) => readonly Row[]>> = {
  member: ({ user }, organization) => [
    {
      partition: DIRECTORY,
      set: "membership",
      primary: [String(user), organization],
      agrees: ({ isMember }) => isMember === true,
      step: "sync-membership",
      payload: { organization, user: String(user) },
    },
  ],
  organization({ emailDomains, provenDomains = [] }, organization) {
    const leading = (emailDomains as string[]).filter((it) => (provenDomains as string[]).includes(it));
    if (leading.length === 0) return [];
    return [
      {
        partition: DIRECTORY,
        set: "domain-list",
        primary: [organization],
        agrees: ({ domains }) => JSON.stringify(domains) === JSON.stringify(leading),
        step: "sync-domains",
        payload: { organization },
      },
    ];
  },
  integration: ({ name }, organization) => [
    {
      partition: DIRECTORY,
      set: "integration-line",
      primary: [organization, String(name)],
      agrees: ({ isPublished }) => isPublished === true,
      step: "list-integration",
      payload: { organization, name: String(name) },
    },
  ],
  installation({ id, definition, owner }, organization, met) {
    const payload = { id: String(id), definition: String(definition), owner: String(owner), organization };
    met.set(payload.id, payload);
    return [installed("installation-line", [payload.id], "list-installation", payload)];
  },
  "placed-installation"({ installation, kind, place }, _, met) {
    const found = met.get(String(installation));
    if (!found) return [];
    const payload = { ...found, kind: String(kind), place: String(place) };
    const primary = [String(installation), String(kind), String(place)];
    return [installed("placed-line", primary, "list-placed-installation", payload)];
  },
};

/** A row of an integration's owner. */
function installed(set: string, primary: Tuple, step: string, payload: Installation): Row {
  const agrees = ({ isInstalled }: Known) => isInstalled === true;
  return { partition: getOrganizationPartition(payload.owner), set, primary, agrees, step, payload: { ...payload } };
}

/** The names that a record uses, each unique everywhere. */
const namesOf: Readonly<Record<string, (record: Known) => readonly (readonly [ClaimKind, string])[]>> = {
  organization: ({ hostname }) => (typeof hostname === "string" ? [["subdomain", hostname]] : []),
  integration: ({ name }) => [["integration", String(name).toLowerCase()]],
  site: ({ proven = [] }) => (proven as string[]).map((host) => ["site-host", host] as const),
};

export interface ReflectionContext {
  readonly store: Store;
  /** The partition that decides. */
  readonly home: string;
  readonly readable: DamagedSnapshot;
  readonly steps: ReadonlyMap<string, Pick<JobType<never>, "run">>;
  /** Takes findings in about a partition. */
  readonly reportOn: (partition: string) => ReportFinding;
}

/** Checks what others say of an organization. Others are read later than it, and so know of it. */
export async function checkReflections(reflected: ReflectionContext, organization: string): Promise<void> {
  const { readable, home, reportOn } = reflected;
  const waiting = await jobsIn(readable);
  const met: Installations = new Map();
  for (const [set, of] of Object.entries(rowsOf))
    for await (const records of recordsOf(readable, set)) {
      const rows = records.flatMap((record) => orNothing(() => of(record, organization, met)));
      for (const partition of new Set(rows.map((row) => row.partition)))
        await checkRows(
          reflected,
          partition,
          rows.filter((row) => row.partition === partition && !waiting.has(jobName(row.step, row.payload))),
        );
    }
  for (const [set, of] of Object.entries(namesOf))
    for await (const records of recordsOf(readable, set)) {
      const names = records.flatMap((record) => orNothing(() => of(record)));
      const held = await readable.get(names.map(([kind, name]) => encodeKey("claim", kind, name)));
      for (const [i, [kind, name]] of names.entries()) {
        const wish = held[i];
        if (wish instanceof Corrupt || (wish?.value as Wish | undefined)?.held) continue;
        await reportOn(home)("claim", `The name ${JSON.stringify(name)} (${kind}) is used here, and is not held.`);
      }
    }
  for await (const records of recordsOf(readable, "member")) {
    const ids = records.map(({ user }) => String(user));
    const directory = await reflected.store.storage.partition(DIRECTORY).snapshot();
    const users = await found(
      directory,
      ids.map((id) => placesOf("user").recordKey([id])),
    );
    for (const [i, id] of ids.entries())
      if (users[i] === undefined) await reportOn(home)("missing", `The member ${id} is no user.`);
  }
}

async function checkRows(reflected: ReflectionContext, partition: string, rows: readonly Row[]): Promise<void> {
  const { store, home, readable, steps, reportOn } = reflected;
  const other = await store.storage.partition(partition).snapshot();
  const keys = rows.map(({ set, primary }) => placesOf(set).recordKey(primary));
  const entries = await found(other, keys);
  for (const [i, row] of rows.entries()) {
    const present = entries[i];
    if (present instanceof Corrupt || isSaid(row, present, readable.snapshot.version)) continue;
    const what = `${row.set} ${row.primary.join(" ")}`;
    await reportOn(partition)("index", `The row ${JSON.stringify(what)} does not say what ${home} does.`, {
      async bySteps() {
        // A step writes what is later than the row. A commit that changes nothing makes it so.
        await store.storage.partition(home).commit({ checks: [], puts: [], deletes: ["\0"], adds: [] });
        // These steps read one partition and write another, and need nothing else.
        await steps.get(row.step)!.run({ store } as JobContext, row.payload as never);
        const [now] = await found(await store.storage.partition(partition).snapshot(), [keys[i]!]);
        return !(now instanceof Corrupt) && isSaid(row, now, 0);
      },
    });
  }
}

/** Whether a row is as it must be. One that was made from a later version says something later. */
function isSaid(row: Row, present: Known | undefined, version: number): boolean {
  if (present === undefined) return false;
  return row.agrees(present) || (version > 0 && Number(present.asOf) > version);
}

/** The records of a set, some at a time. */
async function* recordsOf(readable: DamagedSnapshot, set: string): AsyncGenerator<readonly Known[], void> {
  let some: Known[] = [];
  for await (const { value } of readable.entries(placesOf(set).recordKey([]))) {
    if (typeof value !== "object" || value === null) continue;
    some.push(value as Known);
    if (some.length < 100) continue;
    yield some;
    some = [];
    await yieldToEventLoop();
  }
  if (some.length > 0) yield some;
}

/** Values under keys of a snapshot; `Corrupt` where one cannot be read: whoever checks that partition tells. */
async function found(
  snapshot: DamagedSnapshot["snapshot"],
  keys: readonly Key[],
): Promise<(Known | undefined | Corrupt)[]> {
  if (keys.length === 0) return [];
  try {
    return (await snapshot.get(keys)).map((entry) => entry?.value as Known | undefined);
  } catch (error) {
    if (!(error instanceof Corrupt)) throw error;
    return keys.map(() => error);
  }
}

/** What a damaged record may throw is not known. That it is damaged is told elsewhere. */
function orNothing<T>(make: () => readonly T[]): readonly T[] {
  try {
    return make();
  } catch {
    return [];
  }
}

const jobName = (step: string, payload: Json) => `${step} ${JSON.stringify(Object.entries(payload ?? {}).sort())}`;

/** The jobs that wait, or were parked: what they are about to write is not missed. */
async function jobsIn(readable: DamagedSnapshot): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const kind of ["job", "parked-job"])
    for await (const { value } of readable.entries(encodeKey(kind))) {
      const { step, payload } = value as { readonly step: string; readonly payload: Json };
      names.add(jobName(step, payload));
    }
  return names;
}

// Checks the facts that one partition stores about another. An organization decides who its members are, and the directory has a row
// of each, so that people find their organizations; an integration's owner has a row of each installation. A job writes such a row
// after the commit of its cause, so a row that does not exist, and that no job is about to write, is damage. The same holds for the
// users that members are, and for names that are used and must be held.

import type { JobContext, JobType } from "../../jobs/jobs";
import type { ClaimKind, NameReservation } from "../../storage/claims";
import { DIRECTORY, getOrganizationPartition } from "../../storage/ids";
import { encodeKey } from "../../storage/key";
import { createSetKeys, type Tuple } from "../../storage/records";
import { Corrupt, type Json, type Key } from "../../storage/storage";
import type { Store } from "../../storage/store";
import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import type { DamagedSnapshot } from "./damaged-snapshot";
import type { ReportFinding } from "./finding";

/** A record of which only some members are known here. */
type PartialRecord = { readonly [member: string]: Json | undefined };

/** A row in another partition that follows from a record. */
interface ReflectedRow {
  readonly partition: string;
  readonly set: string;
  readonly primaryKey: Tuple;
  readonly isCurrent: (row: PartialRecord) => boolean;
  /** The name of the job type that writes it, and the payload. */
  readonly step: string;
  readonly payload: Json;
}

/** The payload of the jobs of an installation, which identifies it. */
interface InstallationPayload {
  readonly id: string;
  readonly definition: string;
  readonly owner: string;
  readonly organization: string;
}

/** The installations that were read so far, by their ids. */
type Installations = Map<string, InstallationPayload>;

/** The functions that list the rows of a record, by the name of its set. */
const rowsOfRecords: Readonly<
  Record<string, (record: PartialRecord, organization: string, installations: Installations) => readonly ReflectedRow[]>
> = {
  member: ({ user }, organization) => [
    {
      partition: DIRECTORY,
      set: "membership",
      primaryKey: [String(user), organization],
      isCurrent: ({ isMember }) => isMember === true,
      step: "sync-membership",
      payload: { organization, user: String(user) },
    },
  ],
  organization({ emailDomains, provenDomains = [] }, organization) {
    const domains = (emailDomains as string[]).filter((domain) => (provenDomains as string[]).includes(domain));
    if (domains.length === 0) return [];
    return [
      {
        partition: DIRECTORY,
        set: "domain-list",
        primaryKey: [organization],
        isCurrent: (row) => JSON.stringify(row.domains) === JSON.stringify(domains),
        step: "sync-domains",
        payload: { organization },
      },
    ];
  },
  integration: ({ name }, organization) => [
    {
      partition: DIRECTORY,
      set: "integration-line",
      primaryKey: [organization, String(name)],
      isCurrent: ({ isPublished }) => isPublished === true,
      step: "list-integration",
      payload: { organization, name: String(name) },
    },
  ],
  installation({ id, definition, owner }, organization, installations) {
    const payload = { id: String(id), definition: String(definition), owner: String(owner), organization };
    installations.set(payload.id, payload);
    return [createOwnerRow("installation-line", [payload.id], "list-installation", payload)];
  },
  "placed-installation"({ installation, kind, place }, _, installations) {
    const found = installations.get(String(installation));
    if (!found) return [];
    const payload = { ...found, kind: String(kind), place: String(place) };
    const primaryKey = [String(installation), String(kind), String(place)];
    return [createOwnerRow("placed-line", primaryKey, "list-placed-installation", payload)];
  },
};

/** Returns a row that the owner of an integration has. */
function createOwnerRow(set: string, primaryKey: Tuple, step: string, payload: InstallationPayload): ReflectedRow {
  return {
    partition: getOrganizationPartition(payload.owner),
    set,
    primaryKey,
    isCurrent: ({ isInstalled }) => isInstalled === true,
    step,
    payload: { ...payload },
  };
}

/** The functions that list the names a record uses, each unique everywhere, by the name of its set. */
const namesOfRecords: Readonly<Record<string, (record: PartialRecord) => readonly (readonly [ClaimKind, string])[]>> = {
  organization: ({ hostname }) => (typeof hostname === "string" ? [["subdomain", hostname]] : []),
  integration: ({ name }) => [["integration", String(name).toLowerCase()]],
  site: ({ proven = [] }) => (proven as string[]).map((host) => ["site-host", host] as const),
};

export interface ReflectionContext {
  readonly store: Store;
  /** The partition that decides. */
  readonly home: string;
  readonly snapshot: DamagedSnapshot;
  readonly jobTypes: ReadonlyMap<string, Pick<JobType<never>, "run">>;
  /** Returns the function that reports findings about a partition. */
  readonly createReport: (partition: string) => ReportFinding;
}

/** Checks the facts that other partitions store about an organization. They are read later than it, and so are at least as new. */
export async function checkReflections(context: ReflectionContext, organization: string): Promise<void> {
  const { store, home, snapshot, createReport } = context;

  // Rows that a job is about to write are not missing.
  const pendingJobs = new Set<string>();
  for (const kind of ["job", "parked-job"])
    for await (const { value } of snapshot.entries(encodeKey(kind))) {
      const { step, payload } = value as { readonly step: string; readonly payload: Json };
      pendingJobs.add(describeJob(step, payload));
    }
  const installations: Installations = new Map();
  for (const [set, listRows] of Object.entries(rowsOfRecords))
    for await (const records of readRecordBatches(snapshot, set)) {
      const rows = records.flatMap((record) => tryList(() => listRows(record, organization, installations)));
      for (const partition of new Set(rows.map((row) => row.partition))) {
        const expected = rows.filter(
          (row) => row.partition === partition && !pendingJobs.has(describeJob(row.step, row.payload)),
        );
        await checkRows(context, partition, expected);
      }
    }

  for (const [set, listNames] of Object.entries(namesOfRecords))
    for await (const records of readRecordBatches(snapshot, set)) {
      const names = records.flatMap((record) => tryList(() => listNames(record)));
      const claims = await snapshot.get(names.map(([kind, name]) => encodeKey("claim", kind, name)));
      for (const [i, [kind, name]] of names.entries()) {
        const claim = claims[i];
        if (claim instanceof Corrupt || (claim?.value as NameReservation | undefined)?.held) continue;
        await createReport(home)("claim", `The name ${JSON.stringify(name)} (${kind}) is used here, and is not held.`);
      }
    }

  for await (const records of readRecordBatches(snapshot, "member")) {
    const userIds = records.map(({ user }) => String(user));
    const directory = await store.storage.partition(DIRECTORY).snapshot();
    const users = await readValues(
      directory,
      userIds.map((id) => createSetKeys("user").recordKey([id])),
    );
    for (const [i, userId] of userIds.entries())
      if (users[i] === undefined) await createReport(home)("missing", `The member ${userId} is no user.`);
  }
}

/** Checks that the rows in another partition exist and are current. */
async function checkRows(
  { store, home, snapshot, jobTypes, createReport }: ReflectionContext,
  partition: string,
  rows: readonly ReflectedRow[],
): Promise<void> {
  const otherSnapshot = await store.storage.partition(partition).snapshot();
  const keys = rows.map(({ set, primaryKey }) => createSetKeys(set).recordKey(primaryKey));
  const values = await readValues(otherSnapshot, keys);
  for (const [i, row] of rows.entries()) {
    const value = values[i];
    if (value instanceof Corrupt) continue;
    // A row that was made from a later version says something later.
    const isLater = value !== undefined && Number(value.asOf) > snapshot.snapshot.version;
    if (value !== undefined && (row.isCurrent(value) || isLater)) continue;

    const name = JSON.stringify(`${row.set} ${row.primaryKey.join(" ")}`);
    await createReport(partition)("index", `The row ${name} does not say what ${home} does.`, {
      async bySteps() {
        // A job writes what is later than the row. A commit that changes nothing makes it so.
        await store.storage.partition(home).commit({ checks: [], puts: [], deletes: ["\0"], adds: [] });
        // These jobs read one partition and write another, and need nothing else.
        await jobTypes.get(row.step)!.run({ store } as JobContext, row.payload as never);
        const [repaired] = await readValues(await store.storage.partition(partition).snapshot(), [keys[i]!]);
        return !(repaired instanceof Corrupt) && repaired !== undefined && row.isCurrent(repaired);
      },
    });
  }
}

async function* readRecordBatches(
  snapshot: DamagedSnapshot,
  set: string,
): AsyncGenerator<readonly PartialRecord[], void> {
  let batch: PartialRecord[] = [];
  for await (const { value } of snapshot.entries(createSetKeys(set).recordKey([]))) {
    if (typeof value !== "object" || value === null) continue;
    batch.push(value as PartialRecord);
    if (batch.length < 100) continue;
    yield batch;
    batch = [];
    await yieldToEventLoop();
  }
  if (batch.length > 0) yield batch;
}

/** Returns the values under keys; `Corrupt` if one cannot be read, which the check of that partition reports. */
async function readValues(
  snapshot: DamagedSnapshot["snapshot"],
  keys: readonly Key[],
): Promise<(PartialRecord | undefined | Corrupt)[]> {
  if (keys.length === 0) return [];
  try {
    return (await snapshot.get(keys)).map((entry) => entry?.value as PartialRecord | undefined);
  } catch (error) {
    if (!(error instanceof Corrupt)) throw error;
    return keys.map(() => error);
  }
}

/** Returns an empty list if a damaged record throws, which may be any error. The damage is reported elsewhere. */
function tryList<T>(list: () => readonly T[]): readonly T[] {
  try {
    return list();
  } catch {
    return [];
  }
}

/** Returns a text that identifies a job by its type and payload. */
function describeJob(step: string, payload: Json): string {
  return `${step} ${JSON.stringify(Object.entries(payload ?? {}).sort())}`;
}

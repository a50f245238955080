// A checker for strict serializability of one partition. Commits return versions and snapshots have them, so the
// storage itself states the order. The checker tests whether that order explains every answer and agrees with the
// clock. Every commit of a history writes a mark under its own key, so a final read shows which commits happened, also
// those without an answer.

import type { Batch, Entry, Json, Key, Version } from "../../../src/storage/storage";

/** When a call began, and when its answer came; `Infinity` when it never did. One clock for all, in any unit. */
interface Timed {
  readonly began: number;
  readonly ended: number;
}

/** A commit, and what it was told. `unknown`: it may have happened, or may happen yet. */
export interface CommitCall extends Timed {
  readonly kind: "commit";
  /** The key that this commit and no other puts. */
  readonly mark: Key;
  readonly batch: Batch;
  readonly answer: { readonly version: Version } | { readonly conflict: Key } | "unknown" | "none";
}

/** A snapshot, timed by the call that took it, with what was read from it then or later. */
export interface SnapshotCall extends Timed {
  readonly kind: "snapshot";
  readonly version: Version;
  /** What was found under single keys; null where there was nothing. */
  readonly got: readonly { readonly key: Key; readonly entry: Entry | null }[];
  /** All that was found under a prefix. */
  readonly listed: readonly { readonly under: Key; readonly entries: readonly Entry[] }[];
}

export type Call = CommitCall | SnapshotCall;

/** A sentence for each thing that no order of the commits explains; none for a strictly serializable history. */
export function violations(calls: readonly Call[], marks: readonly Entry[]): string[] {
  const commits = calls.filter((call) => call.kind === "commit");
  const snapshots = calls.filter((call) => call.kind === "snapshot");
  const { applied, found } = happened(commits, marks);
  const states = replay(applied);
  const before = newest([...applied, ...snapshots]);
  for (const commit of applied) found.push(...checkApplied(commit, states, before));
  for (const snapshot of snapshots) found.push(...checkSnapshot(snapshot, states, before));
  for (const commit of commits) {
    if (typeof commit.answer === "object" && "conflict" in commit.answer)
      found.push(...checkRefused(commit, commit.answer.conflict, states, before, after(applied, commit.ended)));
  }
  return found;
}

type Applied = CommitCall & { readonly version: Version };

/** The commits that have left their mark, in the order of their versions, and where that is not what they were told. */
function happened(commits: readonly CommitCall[], marks: readonly Entry[]): { applied: Applied[]; found: string[] } {
  const found: string[] = [];
  const versions = new Map(marks.map(({ key, version }) => [key, version]));
  const applied: Applied[] = [];
  for (const commit of commits) {
    const version = versions.get(commit.mark);
    const { answer } = commit;
    if (version !== undefined) applied.push({ ...commit, version });
    if (typeof answer === "object" && "version" in answer && answer.version !== version)
      found.push(`${commit.mark} was acknowledged as ${answer.version} and is stored as ${version ?? "nothing"}.`);
    if (version !== undefined && (answer === "none" || (typeof answer === "object" && "conflict" in answer)))
      found.push(`${commit.mark} was refused and is stored as ${version}.`);
  }
  applied.sort((a, b) => a.version - b.version);
  for (const [at, { mark, version }] of applied.entries()) {
    if (at > 0 && applied[at - 1]!.version === version) found.push(`${mark} shares its version ${version}.`);
  }
  return { applied, found };
}

/** The partition at any version. */
interface States {
  /** The versions of all commits, in order, after a 0 for the beginning. */
  readonly versions: readonly Version[];
  at(key: Key, version: Version): Entry | undefined;
  under(prefix: Key, version: Version): Entry[];
}

function replay(applied: readonly Applied[]): States {
  // What was under a key from a version on, the oldest first.
  const timelines = new Map<Key, { readonly version: Version; readonly entry: Entry | undefined }[]>();
  const at = (key: Key, version: Version) => timelines.get(key)?.findLast((moment) => moment.version <= version)?.entry;
  const write = (key: Key, version: Version, value: Json | undefined) => {
    const timeline = timelines.get(key) ?? [];
    timelines.set(key, timeline);
    timeline.push({ version, entry: value === undefined ? undefined : { key, value, version } });
  };
  for (const { version, batch } of applied) {
    for (const { key, value } of batch.puts) write(key, version, value);
    for (const key of batch.deletes) write(key, version, undefined);
    for (const { key, amount } of batch.adds) {
      const value = at(key, version)?.value;
      write(key, version, typeof value === "number" ? value + amount : amount);
    }
  }
  return {
    versions: [0, ...applied.map(({ version }) => version)],
    at,
    under: (prefix, version) =>
      [...timelines.keys()]
        .filter((key) => key.startsWith(prefix))
        .sort()
        .flatMap((key) => at(key, version) ?? []),
  };
}

/** The newest version that anybody had been told of before a moment: what begins then must not be older. */
function newest(calls: readonly (Timed & { readonly version: Version })[]): (moment: number) => Version {
  const ends = [...calls].sort((a, b) => a.ended - b.ended);
  let version = 0;
  const seen = ends.map((call) => {
    version = Math.max(version, call.version);
    return { ended: call.ended, version };
  });
  return (moment) => {
    let [from, to] = [0, seen.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (seen[middle]!.ended < moment) from = middle + 1;
      else to = middle;
    }
    return seen[from - 1]?.version ?? 0;
  };
}

/** The oldest version of a commit that began after a moment: what had ended by then cannot have met it. */
function after(applied: readonly Applied[], moment: number): Version {
  return applied.find(({ began }) => began > moment)?.version ?? Number.POSITIVE_INFINITY;
}

function checkApplied(commit: Applied, states: States, before: (moment: number) => Version): string[] {
  const found: string[] = [];
  const seen = before(commit.began);
  if (commit.version <= seen) found.push(`${commit.mark} began after ${seen} was seen and became ${commit.version}.`);
  const stale = firstStale(commit.batch, states, commit.version - 1);
  if (stale !== undefined)
    found.push(`${commit.mark} became ${commit.version} though its check of ${stale} was stale.`);
  return found;
}

function checkSnapshot(snapshot: SnapshotCall, states: States, before: (moment: number) => Version): string[] {
  const { version, began, got, listed } = snapshot;
  const found: string[] = [];
  const seen = before(began);
  if (version < seen) found.push(`A snapshot begun after ${seen} was seen has the version ${version}.`);
  if (!states.versions.includes(version)) found.push(`A snapshot has the version ${version}, which no commit has.`);
  const compare = (what: string, actual: unknown, expected: unknown) => {
    const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (is !== should) found.push(`The snapshot ${version} has ${is} ${what}, and should have ${should}.`);
  };
  for (const { key, entry } of got) compare(`at ${key}`, plain(entry), plain(states.at(key, version)));
  for (const { under, entries } of listed)
    compare(`under ${under}`, entries.map(plain), states.under(under, version).map(plain));
  return found;
}

/** A refusal is right when, at some moment of the call, the named key was the first whose check did not hold. */
function checkRefused(
  { mark, batch, began }: CommitCall,
  conflict: Key,
  states: States,
  before: (moment: number) => Version,
  until: Version,
): string[] {
  const from = before(began);
  const possible = states.versions.filter((version) => version >= from && version < until);
  if (possible.some((version) => firstStale(batch, states, version) === conflict)) return [];
  return [`${mark} was refused for ${conflict}, which was not stale at any version from ${from} on.`];
}

function firstStale({ checks }: Batch, states: States, at: Version): Key | undefined {
  return checks.find(({ key, version }) => (states.at(key, at)?.version ?? null) !== version)?.key;
}

/** An entry with its members in one order. */
function plain(entry: Entry | null | undefined) {
  return entry ? [entry.key, entry.value, entry.version] : null;
}

/** Returns how many calls of each kind there are, by what was answered. */
export function countCalls(calls: readonly Call[]) {
  const answers = calls.flatMap((call) => (call.kind === "commit" ? [call.answer] : []));
  const having = (what: string) => answers.filter((answer) => typeof answer === "object" && what in answer).length;
  return {
    commits: having("version"),
    refusals: having("conflict"),
    unanswered: answers.filter((answer) => answer === "unknown").length,
    snapshots: calls.length - answers.length,
  };
}

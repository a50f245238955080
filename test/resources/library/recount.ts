// Recounts a whole storage, entry by entry, and compares everything that is derived from records: indexes, totals,
// counts of contributions, forwards. It knows only keys and shares no code with the writers, so it does not repeat
// their mistakes.

import type { Storage } from "octavo";
import { getPartitionByCode, parsePartitionCode } from "../../../src/storage/ids";
import { decodeKey, type KeyPart } from "../../../src/storage/key";
import type { Json } from "../../../src/storage/storage";

// biome-ignore lint/suspicious/noExplicitAny: records of every shape are looked at by the names that they are stored under.
type Found = any;
type Tuple = readonly KeyPart[];

interface Contents {
  /** Records by set and primary key. */
  readonly records: Map<string, Map<string, Found>>;
  /** Tuples by set and index, with the primary key that each leads to. */
  readonly indexes: Map<string, { readonly tuple: Tuple; readonly primary: string }[]>;
  /** By set and total: how many are said to be in a group. */
  readonly totals: Map<string, { readonly group: Tuple; readonly value: number }[]>;
  readonly jobs: Found[];
  readonly parked: Found[];
}

/** Sets whose keys, indexes and totals begin with the id of their space. */
const insideSpaces = [
  "revision",
  "change-request",
  "review",
  "requested-reviewer",
  "comment",
  "comment-reply",
  "reaction",
  "commenter",
];
/** Totals that count the entries of an index of another name. */
const countedBy: Record<string, string> = { "change-request ofSpace": "all", "node children": "children" };
/** Jobs that wait for their day, and are no unfinished work. */
const patient = new Set(["purge-space", "store-search-index"]);

/** What does not agree, as sentences; none when everything is whole. */
export async function recount(storage: Storage): Promise<string[]> {
  const wrong: string[] = [];
  const byPartition = new Map<string, Contents>();
  for await (const name of storage.partitions()) byPartition.set(name, await contentsOf(storage, name));
  for (const [name, contents] of byPartition) {
    const say = (sentence: string) => wrong.push(`${name}: ${sentence}`);
    checkIndexes(contents, say);
    checkTotals(contents, say);
    checkDiscussions(contents, say);
    checkLeftovers(contents, say);
  }
  checkPlaces(byPartition, (sentence) => wrong.push(sentence));
  return wrong;
}

async function contentsOf(storage: Storage, name: string): Promise<Contents> {
  const found: Contents = { records: new Map(), indexes: new Map(), totals: new Map(), jobs: [], parked: [] };
  const snapshot = await storage.partition(name).snapshot();
  let after: string | undefined;
  for (;;) {
    const rows = await snapshot.list({ under: "", after, limit: 1000 });
    for (const { key, value } of rows) sort(found, decodeKey(key), value);
    if (rows.length < 1000) return found;
    after = rows.at(-1)!.key;
  }
}

function sort(found: Contents, [kind, set, ...rest]: KeyPart[], value: Json): void {
  const into = <T>(map: Map<string, T[]>, name: string, item: T) => {
    if (!map.has(name)) map.set(name, []);
    map.get(name)!.push(item);
  };
  if (kind === "r") {
    if (!found.records.has(set as string)) found.records.set(set as string, new Map());
    found.records.get(set as string)!.set(JSON.stringify(rest), value);
  } else if (kind === "i") {
    const primary = JSON.stringify(value);
    into(found.indexes, `${set} ${rest[0]}`, { tuple: rest.slice(1), primary });
  } else if (kind === "n") into(found.totals, `${set} ${rest[0]}`, { group: rest.slice(1), value: value as number });
  else if (kind === "job") found.jobs.push(value);
  else if (kind === "parked-job") found.parked.push(value);
}

function checkIndexes({ records, indexes }: Contents, say: (sentence: string) => void): void {
  for (const [name, entries] of indexes) {
    const set = records.get(name.split(" ")[0]!);
    for (const { tuple, primary } of entries)
      if (!set?.has(primary)) say(`the index ${name} has ${JSON.stringify(tuple)}, and there is no such record`);
  }
  for (const set of insideSpaces) {
    const full = { "comment-reply": "ofComment", reaction: "ofSubject", commenter: "ofPlace" }[set];
    const index = full ?? (set.startsWith("re") && set !== "revision" ? "ofChangeRequest" : "all");
    const listed = indexes.get(`${set} ${index}`)?.length ?? 0;
    const present = records.get(set)?.size ?? 0;
    if (listed !== present) say(`${present} records of ${set}, ${listed} of them listed`);
  }
}

function checkTotals({ indexes, totals }: Contents, say: (sentence: string) => void): void {
  for (const [name, groups] of totals) {
    const [set, total] = name.split(" ") as [string, string];
    const index = countedBy[name] ?? total;
    const entries = indexes.get(`${set} ${index}`);
    const isCounted = insideSpaces.includes(set) || set === "node" || name === "grant ofNode";
    if (!isCounted) continue;
    const groupOf = (group: Tuple) => (name === "node children" ? group.slice(0, 1) : group);
    const said = new Map<string, number>();
    for (const { group, value } of groups) {
      const at = JSON.stringify(groupOf(group));
      said.set(at, (said.get(at) ?? 0) + value);
    }
    const counted = new Map<string, number>();
    const length = groupOf(groups[0]!.group).length;
    for (const { tuple } of entries ?? []) {
      const at = JSON.stringify(tuple.slice(0, length));
      counted.set(at, (counted.get(at) ?? 0) + 1);
    }
    for (const at of new Set([...said.keys(), ...counted.keys()]))
      if ((said.get(at) ?? 0) !== (counted.get(at) ?? 0))
        say(`the total ${name} of ${at} says ${said.get(at) ?? 0}, ${counted.get(at) ?? 0} are listed`);
  }
}

/** Who wrote how often, and replies and reactions whose subject is gone. */
function checkDiscussions({ records }: Contents, say: (sentence: string) => void): void {
  const comments = new Map<string, Found>();
  for (const comment of records.get("comment")?.values() ?? []) comments.set(comment.id, comment);
  const replies = [...(records.get("comment-reply")?.values() ?? [])];
  for (const { id, comment } of replies) if (!comments.has(comment)) say(`the reply ${id} is to nothing`);
  const subjects = new Set([...comments.keys(), ...replies.map(({ id }) => id)]);
  for (const { subject } of records.get("reaction")?.values() ?? [])
    if (!subjects.has(subject)) say(`a reaction is to ${subject}, which is gone`);
  const times = new Map<string, number>();
  const count = (space: string, changeRequest: string | null, user: string) => {
    const at = JSON.stringify([space, changeRequest, user]);
    times.set(at, (times.get(at) ?? 0) + 1);
  };
  for (const { space, changeRequest, postedBy } of comments.values()) count(space, changeRequest, postedBy);
  for (const { space, comment, postedBy } of replies)
    count(space, comments.get(comment)?.changeRequest ?? null, postedBy);
  const said = records.get("commenter") ?? new Map<string, Found>();
  for (const at of new Set([...times.keys(), ...said.keys()]))
    if (said.get(at)?.times !== times.get(at))
      say(`the commenter ${at} is said to have written ${said.get(at)?.times} times, and has ${times.get(at)} times`);
}

/** What belongs to spaces that are not here, things between two places, and work that nobody has finished. */
function checkLeftovers({ records, jobs, parked }: Contents, say: (sentence: string) => void): void {
  const here = new Set([...(records.get("node")?.values() ?? [])].map(({ id }) => id));
  for (const set of insideSpaces)
    for (const { space } of records.get(set)?.values() ?? [])
      if (!here.has(space)) say(`a record of ${set} is left of the space ${space}, which is not here`);
  for (const { node } of records.get("grant")?.values() ?? [])
    if (!here.has(node)) say(`a grant is left on ${node}, which is not here`);
  for (const arrival of records.get("arrival")?.values() ?? [])
    if (!arrival.isCalledOff) say(`${arrival.id} has come and has no place`);
  for (const node of records.get("node")?.values() ?? []) {
    if (node.leaving !== undefined && node.deletedAt === null) say(`${node.id} is still leaving`);
    if (node.type === "space" && !records.get("revision")?.has(JSON.stringify([node.id, node.revision])))
      say(`${node.id} shows a revision that is not there`);
  }
  for (const job of jobs) if (!patient.has(job.step)) say(`a job waits: ${JSON.stringify(job)}`);
  for (const job of parked) say(`a job was given up: ${JSON.stringify(job)}`);
}

/** A thing lives in one place, and its id leads there. */
function checkPlaces(byPartition: ReadonlyMap<string, Contents>, say: (sentence: string) => void): void {
  const homes = new Map<string, string[]>();
  for (const [name, { records }] of byPartition)
    for (const { id } of records.get("node")?.values() ?? []) homes.set(id, [...(homes.get(id) ?? []), name]);
  for (const [id, places] of homes) {
    if (places.length > 1) say(`${id} is in ${places.join(" and in ")}`);
    let at = getPartitionByCode((parsePartitionCode("space", id) ?? parsePartitionCode("collection", id))!);
    for (let hop = 0; hop < 4 && !places.includes(at); hop++)
      at =
        byPartition
          .get(at)
          ?.records.get("forward")
          ?.get(JSON.stringify([id]))?.partition ?? at;
    if (!places.includes(at)) say(`${id} is in ${places[0]}, and its id leads to ${at}`);
  }
}

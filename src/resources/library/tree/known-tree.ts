// Which things of the tree a user sees, remembered from one request to the next. What decides that is the tree, as far as
// its guard `standing` reaches, all grants, the user's role and their teams. Each request reads the guards, the role and the
// teams in its own snapshot. So a right that was taken is gone at the next request, whichever process took it.
//
// The memory says where to look, and how many there are. What a list shows is read again and asked about again.

import { iterateRows } from "../../../operation/pagination";
import type { Reader } from "../../../storage/transaction";
import type { PositionedRecord } from "../../../storage/transaction-budget";
import { omitUndefined } from "../../../utils/objects";
import type { StampedCache } from "../../../utils/stamped-cache";
import { isInstallationId } from "../../people/members/installation-access";
import { findActiveMember } from "../../people/members/records";
import { findOrganizationPartition } from "../../people/organizations/records";
import { grants } from "../grants/records";
import { isTrashed, type NodeRecord, nodes, type Path, pathsOf, type Standing, wayUp } from "./records";
import { roleIn, teamsOf, type Viewer, viewerOf } from "./rules";

/** The things that a user sees, in use, each kind in the order in which they were made. */
export interface Seen {
  readonly viewer: Viewer;
  readonly spaces: readonly PositionedRecord<Standing>[];
  readonly collections: readonly PositionedRecord<Standing>[];
  /** All spaces in use, whoever sees them; and a text that is the same while they are the same. */
  readonly inUse: readonly PositionedRecord<Standing>[];
  readonly standing: string;
  /** A text that is the same while all of this is. */
  readonly stamp: string;
}

/** A request that only reads: a memory knows nothing of the writes of a transaction. */
export interface Looking {
  readonly tx: Reader;
  readonly organization: { readonly id: string };
  readonly ports: { readonly cache: StampedCache };
}

interface KnownTree {
  /** Those in the trash, too. */
  readonly things: ReadonlyMap<string, Standing>;
  readonly spaces: readonly PositionedRecord<Standing>[];
  readonly collections: readonly PositionedRecord<Standing>[];
  readonly standing: string;
  /** What users see of it, those who asked last at the end. All admins see the same. */
  readonly seen: Map<string, { readonly stamp: string; readonly seen: Seen }>;
}

/** The most users of whom it is remembered what they see. */
const USERS = 200;

/** What a user sees. */
export async function seenBy({ tx, ports, organization }: Looking, user: string): Promise<Seen> {
  const [member, standing] = await Promise.all([findActiveMember(tx, user), standingStamp(tx)]);
  const own = member?.role;
  if (own === undefined)
    return { viewer: { own, given: new Map() }, spaces: [], collections: [], inUse: [], standing: "", stamp: "" };
  const name = `${findOrganizationPartition(organization.id)} tree`;
  const tree = ports.cache.get<KnownTree>(name, standing) ?? (await readTree(tx, standing));
  const who = own === "admin" ? "" : user;
  const stamp = own === "admin" ? "" : await stampOf(tx, user, own);
  const known = tree.seen.get(who);
  const now = known?.stamp === stamp ? known : { stamp, seen: await lookThrough(tx, tree, user, stamp) };
  tree.seen.delete(who);
  tree.seen.set(who, now);
  if (tree.seen.size > USERS) tree.seen.delete(tree.seen.keys().next().value!);
  if (now !== known) ports.cache.set(name, standing, tree, bytesOf(tree));
  return now.seen;
}

/** A text that is the same while a member sees the same things of the tree; undefined for everybody else. */
export async function sightStamp(tx: Reader, user: string): Promise<string | undefined> {
  const [member, standing] = await Promise.all([findActiveMember(tx, user), standingStamp(tx)]);
  if (!member) return undefined;
  return `${standing} ${member.role === "admin" ? "" : await stampOf(tx, user, member.role)}`;
}

/** A text that is the same while the tree stands as it does. */
export async function standingStamp(tx: Reader): Promise<string> {
  return String(await nodes.getGuardVersion(tx, "standing"));
}

/** While it is the same, so is what a user sees of the same tree. */
async function stampOf(tx: Reader, user: string, own: string | null): Promise<string> {
  // What an installation sees is decided by records of another wing.
  if (isInstallationId(user)) return String(tx.version);
  const [given, teams] = await Promise.all([grants.getGuardVersion(tx, "any"), teamsOf(tx, user)]);
  return JSON.stringify([own, given ?? null, teams]);
}

async function readTree(tx: Reader, standing: string): Promise<KnownTree> {
  const things = new Map<string, Standing>();
  const [spaces, collections]: [PositionedRecord<Standing>[], PositionedRecord<Standing>[]] = [[], []];
  for await (const { record } of iterateRows((slice) => nodes.list(tx, "places", slice))) {
    const thing = standingOf(record);
    things.set(thing.id, thing);
    const [name, rows] =
      record.type === "space" ? (["spaces", spaces] as const) : (["collections", collections] as const);
    const position = nodes.getPosition(name, record);
    if (position !== undefined) rows.push({ record: thing, position });
  }
  for (const rows of [spaces, collections]) rows.sort((a, b) => (a.position < b.position ? -1 : 1));
  return { things, spaces, collections, standing, seen: new Map() };
}

/** Nothing of a record is kept but what the guard reaches. */
export function standingOf(node: NodeRecord): Standing {
  const { id, type, parent, defaultLevel, deletedAt } = node;
  const follows = node.type === "space" ? node.follows : undefined;
  return { id, type, parent, defaultLevel, deletedAt, ...omitUndefined({ follows }) };
}

async function lookThrough(tx: Reader, tree: KnownTree, user: string, own: string): Promise<Seen> {
  const { things, spaces, collections, standing } = tree;
  const viewer = await viewerOf(tx, user);
  const isSeen = ({ record }: PositionedRecord<Standing>) => {
    const path = wayUp(record, things);
    return !isTrashed(path) && roleIn(viewer, path) !== null;
  };
  const seen = { spaces: spaces.filter(isSeen), collections: collections.filter(isSeen) };
  return { viewer, ...seen, inUse: spaces, standing, stamp: `${standing} ${own}` };
}

/** About what a tree takes, with what users see of it. */
function bytesOf({ things, seen }: KnownTree): number {
  let bytes = 500 * things.size;
  for (const { stamp, seen: it } of seen.values())
    bytes += 500 + 2 * stamp.length + 8 * (it.spaces.length + it.collections.length) + 200 * it.viewer.given.size;
  return bytes;
}

/** Things as they are now, with their paths, as far as a viewer sees them. */
export async function pathsSeen(tx: Reader, viewer: Viewer, ids: readonly { readonly id: string }[]): Promise<Path[]> {
  const found = await nodes.getMany(
    tx,
    ids.map(({ id }) => [id]),
  );
  const paths = await pathsOf(
    tx,
    found.flatMap((node) => node ?? []),
  );
  return paths.filter((path) => !isTrashed(path) && roleIn(viewer, path) !== null);
}

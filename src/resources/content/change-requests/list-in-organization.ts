// The change requests of an organization, the newest first. Their records belong to spaces and move with them, so there is
// no list of all: the lists of the spaces that the caller sees are merged. Totals say which spaces have any, and the time
// of a space's newest one says when its list is needed, so a page reads few of the lists. Both are remembered for all spaces
// until a change request is made or gets another status.

import * as v from "valibot";
import { Id } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { iterateRows, type ReadRows } from "../../../operation/pagination";
import { encodeKey } from "../../../storage/key";
import type { Row } from "../../../storage/room";
import type { Reader } from "../../../storage/transaction";
import { getOrCompute } from "../../../utils/stamped-cache";
import { type Looking, pathsSeen, seenBy } from "../../library/tree/known-tree";
import type { SpaceRecord } from "../../library/tree/records";
import { type Viewer, viewerOf } from "../../library/tree/rules";
import { findOrganizationPartition } from "../../people/organizations/records";
import { organization } from "../../people/organizations/rules";
import { ChangeRequest, Status as StatusShape } from "./change-request-schema";
import { type ChangeRequestRecord, changeRequests, type Status } from "./records";
import { changeRequestViews, type Showing } from "./views";

const ChangeRequestInOrganization = v.pipe(
  v.object({ ...ChangeRequest.entries, space: v.pipe(Id, v.description("The space that it would change.")) }),
  v.title("ChangeRequestInOrganization"),
);

export const listOrganizationChangeRequests = defineOperation("GET /orgs/:organizationId/change-requests", {
  summary: "List the change requests of the spaces of an organization that you may see, the newest first",
  target: organization,
  right: "view",
  query: {
    status: v.optional(v.pipe(StatusShape, v.description("Default: all."))),
    space: v.optional(v.pipe(Id, v.description("Only those of this space."))),
    creator: v.optional(v.pipe(Id, v.description("Only those that this user made."))),
    contributor: v.optional(v.pipe(Id, v.description("Only those that this user wrote in."))),
  },
  list: ChangeRequestInOrganization,
  async handle(context) {
    const { tx, query, pageRequest } = context;
    const { status, creator, contributor } = query;
    const { viewer, lists, total } = await listsFor(context, status, query.space);
    // A stored total says how many there are, unless each must be looked at.
    const isFiltered = creator !== undefined || contributor !== undefined;
    let count = isFiltered ? 0 : total;
    const found: Row<Listed>[] = [];
    const atOnce =
      isFiltered || pageRequest.after !== undefined ? READ_AT_ONCE : Math.min(READ_AT_ONCE, pageRequest.limit + 1);
    for await (const row of newestFirst(tx, lists, status, atOnce)) {
      const { changeRequest: it } = row.record;
      if (creator !== undefined && it.createdBy !== creator) continue;
      if (contributor !== undefined && !it.contributors.includes(contributor)) continue;
      if (isFiltered) count++;
      const isPast = pageRequest.after === undefined || row.position < pageRequest.after;
      if (isPast && found.length <= pageRequest.limit) found.push(row);
      if (!isFiltered && found.length > pageRequest.limit) break;
    }
    const shown = found.slice(0, pageRequest.limit);
    const last = found.length > pageRequest.limit ? shown.at(-1)!.position : undefined;
    return { items: await viewsOf(context, viewer, shown), lastPosition: last, count };
  },
});

interface Listed {
  readonly space: string;
  readonly changeRequest: ChangeRequestRecord;
}

/** The list of a space that has change requests with the status. */
interface List {
  readonly space: string;
  readonly total: number;
  /** When the newest of all its change requests was made. */
  readonly newest: string;
}

/** Spaces whose totals are read together, and the most change requests of one space. */
const CHUNK = 500;
const READ_AT_ONCE = 50;

/** Lists in their order, the newest last, and how many change requests they have together. */
interface Lists {
  readonly lists: readonly List[];
  readonly total: number;
}

function summed(lists: readonly List[]): Lists {
  return { lists, total: lists.reduce((sum, { total }) => sum + total, 0) };
}

/** The lists of the spaces that the caller sees, or of one of them. */
async function listsFor(
  context: Looking & { readonly actor: { readonly user: { readonly id: string } } },
  status: Status | undefined,
  only: string | undefined,
): Promise<Lists & { readonly viewer: Viewer }> {
  const { tx, actor, ports, organization } = context;
  if (only !== undefined) {
    const viewer = await viewerOf(tx, actor.user.id);
    const seen = (await pathsSeen(tx, viewer, [{ id: only }])).filter(([{ type }]) => type === "space");
    return { viewer, ...summed(await listsOf(tx, status, seen.length > 0 ? [only] : [])) };
  }
  const user = actor.user.id;
  const { viewer, spaces, inUse, standing, stamp } = await seenBy(context, user);
  const name = `${findOrganizationPartition(organization.id)} change-requests ${status ?? ""}`;
  const counted = await changeRequests.touched(tx, "counted");
  const ofAll = () =>
    getOrCompute(
      ports.cache,
      name,
      `${standing} ${counted}`,
      () =>
        listsOf(
          tx,
          status,
          inUse.map(({ record }) => record.id),
        ),
      (lists) => 300 * lists.length,
    );
  const ofUser = async () => {
    const seen = new Set(spaces.map(({ record }) => record.id));
    return summed((await ofAll()).filter(({ space }) => seen.has(space)));
  };
  const known = await getOrCompute(
    ports.cache,
    `${name} ${user}`,
    `${stamp} ${counted}`,
    ofUser,
    ({ lists }) => 8 * lists.length,
  );
  return { viewer, ...known };
}

async function listsOf(tx: Reader, status: Status | undefined, spaces: readonly string[]): Promise<List[]> {
  const found: List[] = [];
  for (let at = 0; at < spaces.length; at += CHUNK) {
    const some = spaces.slice(at, at + CHUNK);
    const all = await changeRequests.totals(
      tx,
      "ofSpace",
      some.map((space) => [space]),
    );
    const used = some.flatMap((space, i) => (all[i]! > 0 ? [{ space, last: all[i]! }] : []));
    const totals =
      status === undefined
        ? used.map(({ last }) => last)
        : await changeRequests.totals(
            tx,
            "byStatus",
            used.map(({ space }) => [space, status]),
          );
    // Numbers count up from 1 without gaps, so the number of the newest one is the total.
    const newest = await changeRequests.findMany(
      tx,
      "number",
      used.map(({ space, last }) => [space, last]),
    );
    for (const [i, { space }] of used.entries())
      if (totals[i]! > 0) found.push({ space, total: totals[i]!, newest: newest[i]?.createdAt ?? LATEST });
  }
  return found.sort((a, b) => (a.newest < b.newest ? -1 : 1));
}

/** After every time. */
const LATEST = "9";

/** A list while it is merged: its next row, when that was made, and the rows behind it. */
interface Merging {
  readonly at: string;
  readonly time: string;
  readonly row: Row<Listed>;
  readonly rest: AsyncGenerator<Dated>;
}

/** A row, and the time that counts for its place. */
interface Dated {
  readonly row: Row<Listed>;
  readonly time: string;
}

/** The change requests of several lists, the newest first. A list is opened when it may have the next one. */
async function* newestFirst(
  tx: Reader,
  lists: readonly List[],
  status: Status | undefined,
  atOnce: number,
): AsyncGenerator<Row<Listed>> {
  // In order, so the next one is the last.
  const merging: Merging[] = [];
  const takeFrom = async (rest: AsyncGenerator<Dated>) => {
    const { value, done } = await rest.next();
    if (!done) insert(merging, { ...value, at: value.row.position, rest });
  };
  for (let unopened = lists.length; ; ) {
    const next = merging.at(-1);
    const list = lists[unopened - 1];
    if (list && (!next || list.newest >= next.time)) {
      unopened--;
      await takeFrom(rowsOf(tx, list, status, atOnce));
    } else if (next) {
      yield next.row;
      merging.pop();
      await takeFrom(next.rest);
    } else return;
  }
}

/** Puts a list where it belongs in the order. */
function insert(merging: Merging[], list: Merging): void {
  let low = 0;
  let high = merging.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (merging[middle]!.at < list.at) low = middle + 1;
    else high = middle;
  }
  merging.splice(low, 0, list);
}

/**
 * The rows of one list. Clocks of processes differ, so a higher number may have an earlier time. Such a time counts for the
 * lower numbers as well. So positions go down, and every cursor finds its place again.
 */
async function* rowsOf(
  tx: Reader,
  { space, newest }: List,
  status: Status | undefined,
  atOnce: number,
): AsyncGenerator<Dated> {
  const [index, under] = status === undefined ? (["all", [space]] as const) : (["byStatus", [space, status]] as const);
  const walk: ReadRows<ChangeRequestRecord> = (slice) =>
    changeRequests.list(tx, index, { under, reverse: true, ...slice });
  let time = newest;
  for await (const { record } of iterateRows(walk, atOnce)) {
    if (record.createdAt < time) time = record.createdAt;
    yield { row: { record: { space, changeRequest: record }, position: encodeKey(time, space, record.number) }, time };
  }
}

/** The change requests of several spaces on the wire, in the order given. Those of a space that the caller does not see are
 * left out. */
async function viewsOf(context: Omit<Showing, "space">, viewer: Viewer, rows: readonly Row<Listed>[]) {
  const bySpace = new Map<string, ChangeRequestRecord[]>();
  for (const { space, changeRequest } of rows.map(({ record }) => record))
    bySpace.set(space, [...(bySpace.get(space) ?? []), changeRequest]);
  const ids = [...bySpace.keys()].map((id) => ({ id }));
  const views = new Map<string, v.InferInput<typeof ChangeRequestInOrganization>>();
  for (const [node] of await pathsSeen(context.tx, viewer, ids)) {
    const space = node as SpaceRecord;
    for (const view of await changeRequestViews({ ...context, space }, bySpace.get(space.id)!))
      views.set(view.id, { ...view, space: space.id });
  }
  return rows.flatMap(({ record }) => views.get(record.changeRequest.id) ?? []);
}

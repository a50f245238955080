// The change requests of an organization, the newest first. Their records belong to spaces and move with them, so there is no
// common list: the lists of the spaces that the caller sees are merged. Totals tell which spaces have change requests, and the
// creation time of a space's newest one tells when its list is needed, so a page of results reads few of the lists. Both are cached
// for all spaces until a change request is created or its status changes.

import * as v from "valibot";
import { Id } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { iterateRows, type ReadRows } from "../../../operation/pagination";
import { encodeKey } from "../../../storage/key";
import type { Reader } from "../../../storage/transaction";
import type { PositionedRecord } from "../../../storage/transaction-budget";
import { splitIntoChunks } from "../../../utils/chunks";
import { groupBy } from "../../../utils/group-by";
import type { SpaceRecord } from "../../library/tree/records";
import { loadViewer, type Viewer } from "../../library/tree/rules";
import { getVisibleNodes, readVisiblePaths, type TreeReadContext } from "../../library/tree/visible-nodes";
import { findOrganizationPartition } from "../../people/organizations/records";
import { organization } from "../../people/organizations/rules";
import { ChangeRequest, StatusSchema as StatusShape } from "./change-request-schema";
import { type ChangeRequestRecord, type ChangeRequestStatus, changeRequests } from "./records";
import { createChangeRequestViews } from "./views";

export const listOrganizationChangeRequests = defineOperation("GET /orgs/:organizationId/change-requests", {
  summary: "List change requests in an organization",
  target: organization,
  right: "view",
  query: {
    status: v.optional(v.pipe(StatusShape, v.description("Defaults to all."))),
    space: v.optional(v.pipe(Id, v.description("Returns only change requests of this space."))),
    creator: v.optional(v.pipe(Id, v.description("Returns only change requests created by this user."))),
    contributor: v.optional(v.pipe(Id, v.description("Returns only change requests that this user contributed to."))),
  },
  list: ChangeRequest,
  async handle(context) {
    const { tx, query, pageRequest } = context;
    const { after, limit } = pageRequest;
    const { status, creator, contributor } = query;
    const { viewer, lists, total } = await loadVisibleLists(context, status, query.space);
    // The stored totals give the count, unless each change request has to be checked.
    const isFiltered = creator !== undefined || contributor !== undefined;
    let count = isFiltered ? 0 : total;
    const rows: PositionedRecord<ListedChangeRequest>[] = [];
    const isFirstPage = !isFiltered && after === undefined;
    const rowsPerRead = isFirstPage ? Math.min(MAX_ROWS_PER_READ, limit + 1) : MAX_ROWS_PER_READ;
    for await (const row of mergeLists(tx, lists, status, rowsPerRead)) {
      const { changeRequest } = row.record;
      if (creator !== undefined && changeRequest.createdBy !== creator) continue;
      if (contributor !== undefined && !changeRequest.contributors.includes(contributor)) continue;
      if (isFiltered) count++;
      const isAfterCursor = after === undefined || row.position < after;
      if (isAfterCursor && rows.length <= limit) rows.push(row);
      if (!isFiltered && rows.length > limit) break;
    }
    const shownRows = rows.slice(0, limit);
    const lastPosition = rows.length > limit ? shownRows.at(-1)!.position : undefined;

    const recordsBySpace = groupBy(shownRows, ({ record }) => record.space);
    const ids = [...recordsBySpace.keys()].map((id) => ({ id }));
    const views = new Map<string, v.InferInput<typeof ChangeRequest>>();
    for (const [node] of await readVisiblePaths(tx, viewer, ids)) {
      const space = node as SpaceRecord;
      const records = recordsBySpace.get(space.id)!.map(({ record }) => record.changeRequest);
      for (const view of await createChangeRequestViews({ ...context, space }, records)) views.set(view.id, view);
    }
    // Those of spaces that the caller does not see are left out.
    const items = shownRows.flatMap(({ record }) => views.get(record.changeRequest.id) ?? []);
    return { items, lastPosition, count };
  },
});

interface ListedChangeRequest {
  readonly space: string;
  readonly changeRequest: ChangeRequestRecord;
}

interface SpaceList {
  readonly space: string;
  readonly total: number;
  /** The creation time of the newest of all its change requests. */
  readonly newest: string;
}

/** Lists in the order of their times, the newest last, and the number of their change requests. */
interface SpaceLists {
  readonly lists: readonly SpaceList[];
  readonly total: number;
}

/** The number of spaces whose totals are read together. */
const SPACES_PER_READ = 500;
const MAX_ROWS_PER_READ = 50;
/** A time after all others. */
const LATEST_TIME = "9";

/** Returns the lists of the spaces that the caller sees, or of one of them. */
async function loadVisibleLists(
  context: TreeReadContext & { readonly actor: { readonly user: { readonly id: string } } },
  status: ChangeRequestStatus | undefined,
  onlySpace: string | undefined,
): Promise<SpaceLists & { readonly viewer: Viewer }> {
  const { tx, actor, ports, organization } = context;
  const user = actor.user.id;
  if (onlySpace !== undefined) {
    const viewer = await loadViewer(tx, user);
    const paths = await readVisiblePaths(tx, viewer, [{ id: onlySpace }]);
    const isVisible = paths.some(([{ type }]) => type === "space");
    const lists = await loadLists(tx, status, isVisible ? [onlySpace] : []);
    return { viewer, lists, total: lists[0]?.total ?? 0 };
  }

  const { viewer, spaces, activeSpaces: inUse, treeStamp: standing, stamp } = await getVisibleNodes(context, user);
  const key = `${findOrganizationPartition(organization.id)} change-requests ${status ?? ""}`;
  const changeRequestsVersion = await changeRequests.getGuardVersion(tx, "counted");
  const loadAllLists = () =>
    ports.cache.getOrCompute(
      key,
      [standing, changeRequestsVersion],
      () => {
        const spaceIds = inUse.map(({ record }) => record.id);
        return loadLists(tx, status, spaceIds);
      },
      (lists) => 300 * lists.length,
    );
  const visibleLists = await ports.cache.getOrCompute(
    `${key} ${user}`,
    [stamp, changeRequestsVersion],
    async () => {
      const visibleIds = new Set(spaces.map(({ record }) => record.id));
      const lists = (await loadAllLists()).filter(({ space }) => visibleIds.has(space));
      return { lists, total: lists.reduce((sum, { total }) => sum + total, 0) };
    },
    ({ lists }) => 8 * lists.length,
  );
  return { viewer, ...visibleLists };
}

async function loadLists(
  tx: Reader,
  status: ChangeRequestStatus | undefined,
  spaces: readonly string[],
): Promise<SpaceList[]> {
  const lists: SpaceList[] = [];
  for (const some of splitIntoChunks(spaces, SPACES_PER_READ)) {
    const allTotals = await changeRequests.totals(tx, "ofSpace", some);
    const used: { readonly space: string; readonly allTotal: number }[] = [];
    for (const [i, space] of some.entries()) if (allTotals[i]! > 0) used.push({ space, allTotal: allTotals[i]! });

    const totals =
      status === undefined
        ? used.map(({ allTotal }) => allTotal)
        : await changeRequests.totals(
            tx,
            "byStatus",
            used.map(({ space }) => [space, status]),
          );
    // Numbers count up from 1 without gaps, so the number of the newest change request is the total.
    const newestKeys = used.map(({ space, allTotal }) => [space, allTotal]);
    const newest = await changeRequests.findMany(tx, "number", newestKeys);
    for (const [i, { space }] of used.entries())
      if (totals[i]! > 0) lists.push({ space, total: totals[i]!, newest: newest[i]?.createdAt ?? LATEST_TIME });
  }
  return lists.sort((a, b) => (a.newest < b.newest ? -1 : 1));
}

/** A row, and the time that decides its position. */
interface TimedRow {
  readonly row: PositionedRecord<ListedChangeRequest>;
  readonly time: string;
}

/** A list that is being merged: its next row, and the rows after it. */
interface OpenChangeRequestList extends TimedRow {
  readonly rest: AsyncGenerator<TimedRow>;
}

/** Yields the change requests of several lists, the newest first. A list is opened when it may have the next change request. */
async function* mergeLists(
  tx: Reader,
  lists: readonly SpaceList[],
  status: ChangeRequestStatus | undefined,
  rowsPerRead: number,
): AsyncGenerator<PositionedRecord<ListedChangeRequest>> {
  // In the order of positions: the list with the next row is the last one.
  const openLists: OpenChangeRequestList[] = [];
  const insertNext = async (rest: AsyncGenerator<TimedRow>) => {
    const { value, done } = await rest.next();
    if (done) return;
    let low = 0;
    let high = openLists.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (openLists[middle]!.row.position < value.row.position) low = middle + 1;
      else high = middle;
    }
    openLists.splice(low, 0, { ...value, rest });
  };
  for (let unopenedCount = lists.length; ; ) {
    const next = openLists.at(-1);
    const unopened = lists[unopenedCount - 1];
    if (unopened && (!next || unopened.newest >= next.time)) {
      unopenedCount--;
      await insertNext(iterateList(tx, unopened, status, rowsPerRead));
    } else if (next) {
      yield next.row;
      openLists.pop();
      await insertNext(next.rest);
    } else return;
  }
}

/**
 * Yields the rows of one list. The clocks of processes differ, so a higher number may have an earlier time. Then this time counts
 * for the lower numbers as well. So positions only descend, and every cursor finds its place again.
 */
async function* iterateList(
  tx: Reader,
  { space, newest }: SpaceList,
  status: ChangeRequestStatus | undefined,
  rowsPerRead: number,
): AsyncGenerator<TimedRow> {
  const [index, under] = status === undefined ? (["all", [space]] as const) : (["byStatus", [space, status]] as const);
  const listRows: ReadRows<ChangeRequestRecord> = (slice) =>
    changeRequests.list(tx, index, { under, reverse: true, ...slice });
  let time = newest;
  for await (const { record: changeRequest } of iterateRows(listRows, rowsPerRead)) {
    if (changeRequest.createdAt < time) time = changeRequest.createdAt;
    const position = encodeKey(time, space, changeRequest.number);
    yield { row: { record: { space, changeRequest }, position }, time };
  }
}

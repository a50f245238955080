// Spaces on the wire, one by one and in lists of those that the caller may see.

import type * as v from "valibot";
import type { PageOfItems, PageRequest } from "../../../operation/pagination";
import { paginateFiltered, paginateList, paginateRows } from "../../../operation/pagination";
import { isRoleAtLeast } from "../../../operation/roles";
import { getPermissions } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import type { OrganizationContext } from "../../people/organizations/rules";
import { type Looking, pathsSeen, seenBy } from "../tree/known-tree";
import { isTrashed, nodes, type Path, pathOf, type SpaceRecord, walkPaths } from "../tree/records";
import { type InTree, roleIn, transferView, type Viewer, viewerOf, viewerOn } from "../tree/rules";
import { type ContentNumbers, content } from "./content";
import { purgedAt } from "./records";
import { type InSpace, space as target } from "./rules";
import type { Space } from "./schema";

type Answering = OrganizationContext & {
  readonly tx: Reader;
  readonly actor: { readonly user: { readonly id: string } };
  readonly pageRequest: PageRequest;
  readonly urls: Urls;
};

/** Spaces on the wire, in the order given. Their content is counted in the partition that `tx` reads. */
export async function spaceViews(
  tx: Reader,
  found: readonly InTree[],
  urls: Urls,
): Promise<v.InferOutput<typeof Space>[]> {
  const numbers = await content.implementation.numbers(
    tx,
    found.map(({ path }) => path[0].id),
  );
  return found.map((it, i) => viewOf(it, urls, numbers[i]!));
}

/** What visitors are told of what a space holds, beside its content. */
export const UNTOLD: ContentNumbers = { comments: 0, changeRequests: 0, changeRequestsOpen: 0, changeRequestsDraft: 0 };

/** A space on the wire. A visitor learns nothing of how the organization works inside. */
export async function spaceView(
  tx: Reader,
  it: InTree & Pick<InSpace, "visited">,
  urls: Urls,
): Promise<v.InferOutput<typeof Space>> {
  if (it.visited) {
    const shown = { ...(it.path[0] as SpaceRecord), parent: null, defaultLevel: null };
    return viewOf({ ...it, path: [shown] }, urls, UNTOLD);
  }
  return (await spaceViews(tx, [it], urls))[0]!;
}

type SpaceOnWire = v.InferOutput<typeof Space>;

/** What only some are told of a space. */
interface Inside extends Pick<SpaceOnWire, "defaultLevel" | "permissions"> {
  readonly deletedAt?: string | null;
  readonly parent?: string | null;
  readonly numbers: ContentNumbers;
  readonly transfer?: SpaceOnWire["transfer"];
}

/** A space on the wire. It is one literal: to spread an object of this size into another one takes ten times as long, and
 * lists have many. */
export function spaceFields(
  space: SpaceRecord,
  organization: string,
  urls: Urls,
  { deletedAt = null, parent = null, defaultLevel, numbers, transfer, permissions }: Inside,
): SpaceOnWire {
  const { id, title, emoji, icon, language, visibility, createdAt, updatedAt, editMode, revision } = space;
  const { comments, changeRequests, changeRequestsOpen, changeRequestsDraft, gitSync } = numbers;
  return {
    object: "space" as const,
    id,
    title,
    emoji: emoji ?? "",
    ...omitUndefined({ icon: icon ? icon : undefined, language: language ? language : undefined }),
    visibility,
    createdAt,
    updatedAt,
    editMode,
    organization,
    revision,
    urls: { location: urls.api(`/spaces/${id}`), app: urls.app(`/o/${organization}/s/${id}`) },
    ...omitUndefined({
      deletedAt: deletedAt === null ? undefined : deletedAt,
      parent: parent === null ? undefined : parent,
    }),
    defaultLevel,
    comments,
    changeRequests,
    changeRequestsOpen,
    changeRequestsDraft,
    ...omitUndefined({ gitSync, transfer }),
    permissions,
  };
}

const SHOWN_RIGHTS = [
  "view",
  "access",
  "admin",
  "viewInviteLinks",
  "edit",
  "triggerGitSync",
  "comment",
  "merge",
  "review",
  "installIntegration",
] as const;

function viewOf(it: InTree, urls: Urls, numbers: ContentNumbers): v.InferOutput<typeof Space> {
  const space = it.path[0] as SpaceRecord;
  const { deletedAt, parent, defaultLevel } = space;
  return spaceFields(space, it.organization.id, urls, {
    deletedAt,
    parent,
    defaultLevel,
    numbers,
    ...transferView(it),
    permissions: getPermissions(target, { ...it, space, isDeleted: deletedAt !== null }, SHOWN_RIGHTS),
  });
}

/** A space as the caller sees it after a change. */
export async function spaceViewAfter(context: Omit<Answering, "page">, changed: SpaceRecord) {
  const path = await pathOf(context.tx, changed);
  const role = roleIn(await viewerOn(context.tx, context.actor.user.id, path), path);
  return spaceView(context.tx, { ...context, path, role }, context.urls);
}

/** A page of the spaces of an organization that the caller may see. */
export async function visibleSpaces(context: Answering & Looking): Promise<PageOfItems<v.InferOutput<typeof Space>>> {
  const { tx, me, actor, pageRequest } = context;
  // An admin sees all of them, and their number is stored.
  if (me?.role === "admin") {
    const viewer: Viewer = { own: "admin", given: new Map() };
    const walk = walkPaths(tx, (slice) => nodes.list(tx, "spaces", slice));
    return paginateList(pageRequest, walk, await nodes.total(tx, "spaces"), (found) =>
      viewsFor(
        context,
        viewer,
        found.filter((path) => !isTrashed(path)),
      ),
    );
  }
  const { viewer, spaces } = await seenBy(context, actor.user.id);
  return paginateRows(pageRequest, spaces, async (shown) =>
    viewsFor(context, viewer, await pathsSeen(tx, viewer, shown)),
  );
}

/** A page of the spaces directly in a collection that the caller may see, in their order. */
export async function visibleSpacesIn(
  context: Answering,
  collection: string,
): Promise<PageOfItems<v.InferOutput<typeof Space>>> {
  const { tx, actor, pageRequest } = context;
  const viewer = await viewerOf(tx, actor.user.id);
  const passes = (path: Path) => path[0].type === "space" && !isTrashed(path) && roleIn(viewer, path) !== null;
  const walk = walkPaths(tx, (slice) => nodes.list(tx, "children", { under: [collection], ...slice }));
  return paginateFiltered(pageRequest, walk, passes, (found) => viewsFor(context, viewer, found));
}

/** The spaces in the trash that the caller may bring back. */
export async function trashedSpaces(
  context: Answering & { readonly now: Date },
): Promise<PageOfItems<v.InferOutput<typeof Space>>> {
  const { tx, pageRequest, now } = context;
  const viewer = await viewerOf(tx, context.actor.user.id);
  const passes = (path: Path) => {
    const [{ type, deletedAt }] = path;
    const isThere = type === "space" && deletedAt !== null && purgedAt(deletedAt) > now;
    return isThere && isRoleAtLeast(roleIn(viewer, path), "create");
  };
  const walk = walkPaths(tx, (slice) => nodes.list(tx, "places", slice));
  return paginateFiltered(pageRequest, walk, passes, (found) => viewsFor(context, viewer, found));
}

function viewsFor(context: Answering, viewer: Viewer, found: readonly Path[]) {
  const { tx, organization, me, ownedTeams, urls } = context;
  return spaceViews(
    tx,
    found.map((path) => ({ organization, me, ownedTeams, path, role: roleIn(viewer, path) })),
    urls,
  );
}

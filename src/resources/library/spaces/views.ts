// Spaces on the wire, single and in lists of those that the caller may see.

import type * as v from "valibot";
import type { CallContext } from "../../../operation/operation";
import { getPermissions, type TargetContext } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import type { OrganizationContext } from "../../people/organizations/rules";
import { type NodePath, readNodePath, type SpaceRecord } from "../tree/records";
import { getNodeRole, loadViewerForPath, type NodeContext, presentTransfer, type Viewer } from "../tree/rules";
import { type ContentCounts, content } from "./content";
import { type SpaceContext, space as target } from "./rules";
import { type Space, spacePermissions } from "./schema";

type SpaceListContext = OrganizationContext &
  Pick<TargetContext, "tx"> &
  Pick<CallContext, "pageRequest" | "urls"> & {
    readonly actor: { readonly user: { readonly id: string } };
  };

/** Formats spaces, in their order. Their content is counted in the partition that `tx` reads. */
export async function presentSpaces(
  tx: Reader,
  found: readonly NodeContext[],
  urls: Urls,
): Promise<v.InferOutput<typeof Space>[]> {
  const numbers = await content.implementation.count(
    tx,
    found.map(({ path }) => path[0].id),
  );
  return found.map((it, i) => presentCountedSpace(it, urls, numbers[i]!));
}

/** The counts that visitors see instead of the real ones. */
export const HIDDEN_COUNTS: ContentCounts = {
  comments: 0,
  changeRequests: 0,
  changeRequestsOpen: 0,
  changeRequestsDraft: 0,
};

/** Formats a space. Visitors do not see its place in the tree, default level and counts. */
export async function presentSpace(
  tx: Reader,
  it: NodeContext & Pick<SpaceContext, "visit">,
  urls: Urls,
): Promise<v.InferOutput<typeof Space>> {
  if (it.visit) {
    const shown = { ...(it.path[0] as SpaceRecord), parent: null, defaultLevel: null };
    return presentCountedSpace({ ...it, path: [shown] }, urls, HIDDEN_COUNTS);
  }
  return (await presentSpaces(tx, [it], urls))[0]!;
}

/** The fields of a space that differ between callers. */
interface SpaceDetails extends Pick<v.InferOutput<typeof Space>, "defaultLevel" | "permissions"> {
  readonly deletedAt?: string | null;
  readonly parent?: string | null;
  readonly counts: ContentCounts;
  readonly transfer?: v.InferOutput<typeof Space>["transfer"];
}

/** Builds a space in one literal: lists have many, and spreading so large an object takes ten times as long. */
export function buildSpaceView(
  space: SpaceRecord,
  organization: string,
  urls: Urls,
  { deletedAt = null, parent = null, defaultLevel, counts: numbers, transfer, permissions }: SpaceDetails,
): v.InferOutput<typeof Space> {
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

function presentCountedSpace(it: NodeContext, urls: Urls, numbers: ContentCounts): v.InferOutput<typeof Space> {
  const space = it.path[0] as SpaceRecord;
  const { deletedAt, parent, defaultLevel } = space;
  return buildSpaceView(space, it.organization.id, urls, {
    deletedAt,
    parent,
    defaultLevel,
    counts: numbers,
    ...presentTransfer(it),
    permissions: getPermissions(target, { ...it, space, isDeleted: deletedAt !== null }, spacePermissions),
  });
}

/** Formats a space as the caller sees it after a change. */
export async function presentChangedSpace(context: Omit<SpaceListContext, "page">, changed: SpaceRecord) {
  const path = await readNodePath(context.tx, changed);
  const role = getNodeRole(await loadViewerForPath(context.tx, context.actor.user.id, path), path);
  return presentSpace(context.tx, { ...context, path, role }, context.urls);
}

/** Formats the spaces at the end of paths, as a viewer sees them. */
export function presentSpacesForViewer(context: SpaceListContext, viewer: Viewer, found: readonly NodePath[]) {
  const { tx, organization, me, ownedTeams, urls } = context;
  return presentSpaces(
    tx,
    found.map((path) => ({ organization, me, ownedTeams, path, role: getNodeRole(viewer, path) })),
    urls,
  );
}

// Spaces made into answers, one by one and in lists that show only what the caller may see.

import type * as v from "valibot";
import { filteredPageOf, pageOf, type Walk } from "../../kernel/pages";
import { type Listing, type Page, permissions, type Urls } from "../../operation";
import { atLeast } from "../../roles";
import type { Reader } from "../../store/transaction";
import type { InOrganization } from "../organizations/rules";
import { isTrashed, type NodeRecord, type Path, pathOf, type SpaceRecord, walkPaths } from "../tree/records";
import { type InTree, roleIn, viewerOf, viewerOn } from "../tree/rules";
import { space as target } from "./rules";
import type { Space } from "./schema";

type Answering = InOrganization & {
  readonly tx: Reader;
  readonly actor: { readonly user: { readonly id: string } };
  readonly page: Page;
  readonly urls: Urls;
};

/** A space on the wire. */
export function spaceView(it: InTree, urls: Urls): v.InferOutput<typeof Space> {
  const space = it.path[0] as SpaceRecord;
  const { id, title, emoji, visibility, createdAt, updatedAt, deletedAt, editMode, parent, revision, defaultLevel } =
    space;
  return {
    object: "space",
    id,
    title,
    ...(emoji === null ? {} : { emoji }),
    visibility,
    createdAt,
    updatedAt,
    ...(deletedAt === null ? {} : { deletedAt }),
    editMode,
    organization: it.organization.id,
    ...(parent === null ? {} : { parent }),
    revision,
    defaultLevel,
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
    urls: { location: urls.api(`/spaces/${id}`), app: urls.app(`/o/${it.organization.id}/s/${id}`) },
    permissions: permissions(target, { ...it, space, isDeleted: deletedAt !== null }, [
      "view",
      "access",
      "admin",
      "viewInviteLinks",
      "edit",
      "triggerGitSync",
      "comment",
      "merge",
      "review",
    ]),
  };
}

/** A space as the caller sees it after it was changed. */
export async function spaceViewAfter(context: Omit<Answering, "page">, changed: SpaceRecord) {
  const path = await pathOf(context.tx, changed);
  const role = roleIn(await viewerOn(context.tx, context.actor.user.id, path), path);
  return spaceView({ ...context, path, role }, context.urls);
}

/** A page of the spaces of a list that the caller may see. An admin sees all of them: where their number is known, nothing
 * is walked to count them. */
export async function visibleSpaces(
  context: Answering,
  list: Walk<NodeRecord>,
  total?: number,
): Promise<Listing<v.InferOutput<typeof Space>>> {
  const viewer = await viewerOf(context.tx, context.actor.user.id);
  const view = (found: readonly Path[]) =>
    found.map((path) => spaceView({ ...context, path, role: roleIn(viewer, path) }, context.urls));
  const passes = (path: Path) => path[0].type === "space" && !isTrashed(path) && atLeast(roleIn(viewer, path), "read");
  if (viewer.own === "admin" && total !== undefined)
    return pageOf(context.page, walkPaths(context.tx, list), total, (found) => view(found.filter(passes)));
  return filteredPageOf(context.page, walkPaths(context.tx, list), passes, view);
}

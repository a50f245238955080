// Spaces: the units that hold documentation.

import * as v from "valibot";
import { createError } from "../../../errors";
import { BooleanParam } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { paginateFiltered, paginateList, paginateRows } from "../../../operation/pagination";
import { isRoleAtLeast } from "../../../operation/roles";
import { omitUndefined } from "../../../utils/objects";
import { findOrganizationPartition } from "../../people/organizations/records";
import { organization } from "../../people/organizations/rules";
import {
  detachTranslation,
  findFreePosition,
  isTrashed,
  type NodePath,
  nodes,
  readNodePath,
  type SpaceRecord,
  toTrashed,
  walkPaths,
} from "../tree/records";
import {
  checkLevel,
  findPlace,
  getEffectiveLevel,
  getNodeRole,
  keepManaging,
  loadViewer,
  type Viewer,
} from "../tree/rules";
import { Move, SpaceTransfer } from "../tree/schema";
import { startTransfer } from "../tree/start-transfer";
import { getVisibleNodes, readVisiblePaths } from "../tree/visible-nodes";
import { content } from "./content";
import { createSpaceRecord, duplicateSpaceRecord, getPurgeTime, purgeSpace } from "./records";
import {
  checkVisibility,
  createVisibilityEvents,
  deletableSpace,
  movingSpace,
  normalizeVisibility,
  space,
} from "./rules";
import { NewSpace, Space, SpaceChanges } from "./schema";
import { presentChangedSpace, presentSpace, presentSpacesForViewer } from "./views";

export const listSpaces = defineOperation("GET /orgs/:organizationId/spaces", {
  summary: "List spaces",
  target: organization,
  right: "view",
  query: { deleted: v.optional(BooleanParam, "false") },
  list: Space,
  async handle(context) {
    const { tx, me, actor, query, pageRequest, now } = context;
    if (query.deleted) {
      // Only the spaces that the caller may restore are listed.
      const viewer = await loadViewer(tx, actor.user.id);
      const passes = (path: NodePath) => {
        const [{ type, deletedAt }] = path;
        const isRestorable = type === "space" && deletedAt !== null && getPurgeTime(deletedAt) > now;
        return isRestorable && isRoleAtLeast(getNodeRole(viewer, path), "create");
      };
      const walk = walkPaths(tx, (slice) => nodes.list(tx, "places", slice));
      return paginateFiltered(pageRequest, walk, passes, (found) => presentSpacesForViewer(context, viewer, found));
    }
    // An admin sees all spaces, and their number is stored.
    if (me?.role === "admin") {
      const viewer: Viewer = { organizationRole: "admin", grantedRoles: new Map() };
      const walk = walkPaths(tx, (slice) => nodes.list(tx, "spaces", slice));
      return paginateList(pageRequest, walk, await nodes.total(tx, "spaces"), (found) =>
        presentSpacesForViewer(
          context,
          viewer,
          found.filter((path) => !isTrashed(path)),
        ),
      );
    }
    const { viewer, spaces } = await getVisibleNodes(context, actor.user.id);
    return paginateRows(pageRequest, spaces, async (shown) =>
      presentSpacesForViewer(context, viewer, await readVisiblePaths(tx, viewer, shown)),
    );
  },
});

export const createSpace = defineOperation("POST /orgs/:organizationId/spaces", {
  summary: "Create a space",
  target: organization,
  right: "view",
  body: NewSpace,
  returns: Space,
  status: 201,
  prepare: (context) => content.implementation.prepare(context, context.body.template, "body.template.id"),
  async handle(context) {
    const { body, prepared } = context;
    const parent = body.parent ?? null;
    const visibility = body.visibility ?? (parent === null ? "private" : "in-collection");
    checkVisibility(visibility, parent);
    const created = await createSpaceRecord(context, prepared, {
      title: body.title ?? "Untitled",
      emoji: body.emoji || null,
      icon: body.icon || null,
      language: body.language ?? null,
      visibility,
      editMode: body.editMode ?? "live",
      parent,
    });
    return presentChangedSpace(context, created);
  },
});

export const getSpace = defineOperation("GET /spaces/:spaceId", {
  summary: "Get a space",
  target: deletableSpace,
  right: "view",
  allowsVisitors: true,
  query: { shareKey: v.optional(v.string()) },
  returns: Space,
  handle: (context) => presentSpace(context.tx, context, context.urls),
});

export const updateSpace = defineOperation("PATCH /spaces/:spaceId", {
  summary: "Update a space",
  target: space,
  right: "describe",
  body: SpaceChanges,
  returns: Space,
  async handle(context) {
    const { tx, space, path, role, body, now, emit } = context;
    // A caller without the right to create, such as an installation, only changes the title, icon and language.
    const { title: _, emoji: __, icon: ___, language: ____, ...managed } = body;
    if (!isRoleAtLeast(role, "create") && Object.values(managed).some((value) => value !== undefined))
      throw createError("forbidden");
    if (body.visibility) checkVisibility(body.visibility, space.parent);
    const { emoji = space.emoji, icon = space.icon, ...more } = body;
    const labels = { emoji: emoji || null, icon: icon || null };
    const changed: SpaceRecord = { ...space, ...omitUndefined(more), ...labels, updatedAt: now.toISOString() };
    checkLevel(role, path, await readNodePath(tx, changed));
    await nodes.put(tx, changed);
    for (const event of createVisibilityEvents(space, changed)) emit(event);
    return presentChangedSpace(context, changed);
  },
});

export const deleteSpace = defineOperation("DELETE /spaces/:spaceId", {
  summary: "Delete a space",
  target: deletableSpace,
  right: "admin",
  async handle({ tx, organization, space, isDeleted, now, enqueueJob, ports }) {
    if (isDeleted) return;
    await nodes.put(tx, toTrashed(space, now.toISOString()));
    enqueueJob(purgeSpace, { organization: organization.id, space: space.id }, getPurgeTime(now));
    content.implementation.updateSearch(ports, enqueueJob, {
      partition: findOrganizationPartition(organization.id)!,
      space: space.id,
    });
  },
});

export const restoreSpace = defineOperation("POST /spaces/:spaceId/restore", {
  summary: "Restore a space",
  target: deletableSpace,
  right: "admin",
  returns: Space,
  async handle(context) {
    const { tx, organization, space, isDeleted, path, actor, now, emit, enqueueJob, ports } = context;
    if (!isDeleted || space.deletedAt === null) throw createError("not_deleted");
    if (getPurgeTime(space.deletedAt) <= now) throw createError("restore_too_late");
    const undeleted = { ...space, deletedAt: null };
    const formerPath = await readNodePath(tx, undeleted);
    const isParentThere = !isTrashed(formerPath);
    const parent = isParentThere ? space.parent : null;
    const restored: SpaceRecord = {
      ...undeleted,
      parent,
      defaultLevel: isParentThere ? space.defaultLevel : getEffectiveLevel(formerPath),
      position: isParentThere ? space.position : (await findFreePosition(tx, space.id, null))!,
      visibility: normalizeVisibility(parent, space.visibility),
      updatedAt: now.toISOString(),
    };
    await nodes.put(tx, restored);
    if (!isParentThere)
      await keepManaging(tx, actor.user.id, { before: path, after: [restored], at: now.toISOString() });
    content.implementation.updateSearch(ports, enqueueJob, {
      partition: findOrganizationPartition(organization.id)!,
      space: space.id,
    });
    for (const event of createVisibilityEvents(space, restored)) emit(event);
    return presentChangedSpace(context, restored);
  },
});

export const duplicateSpace = defineOperation("POST /spaces/:spaceId/duplicate", {
  summary: "Duplicate a space",
  target: space,
  right: "admin",
  returns: Space,
  status: 201,
  async handle(context) {
    return presentChangedSpace(context, await duplicateSpaceRecord(context, context));
  },
});

export const moveSpace = defineOperation("POST /spaces/:spaceId/move", {
  summary: "Move a space",
  target: space,
  right: "admin",
  body: Move,
  returns: Space,
  async handle(context) {
    const { tx, space, path, role, body, now, emit } = context;
    const isImplied = body.parent === undefined;
    const parent = isImplied ? space.parent : body.parent!;
    const destination = { id: space.id, parent, position: body.position, isImplied };
    const place = await findPlace(context, destination, { path, height: 0 });
    const visibility = normalizeVisibility(parent, space.visibility);
    const moved: SpaceRecord = { ...space, ...place, visibility, updatedAt: now.toISOString() };
    checkLevel(role, path, await readNodePath(tx, moved));
    await nodes.put(tx, moved);
    for (const event of createVisibilityEvents(space, moved)) emit(event);
    return presentChangedSpace(context, moved);
  },
});

export const transferSpace = defineOperation("POST /spaces/:spaceId/transfer", {
  summary: "Transfer a space",
  target: movingSpace,
  right: "admin",
  body: SpaceTransfer,
  returns: Space,
  async handle(context) {
    const { tx, body, urls } = context;
    const decided = await startTransfer(context, body);
    if (!decided) return presentSpace(tx, context, urls);
    const { there, node } = decided;
    const parent = body.collection ?? null;
    const coming = detachTranslation(node as SpaceRecord);
    const path: NodePath = [
      { ...coming, parent, visibility: normalizeVisibility(parent, coming.visibility) },
      ...there.above,
    ];
    checkLevel(context.role, context.path, path);
    return presentSpace(tx, { ...there, path, role: getNodeRole(there.viewer, path) }, urls);
  },
});

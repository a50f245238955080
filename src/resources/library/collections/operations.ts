// Collections: groups of spaces, which nest.

import * as v from "valibot";
import { BooleanParam } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { paginateFiltered, paginateRows } from "../../../operation/pagination";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { type OrganizationContext, organization } from "../../people/organizations/rules";
import { Space } from "../spaces/schema";
import { presentSpacesForViewer } from "../spaces/views";
import {
  type CollectionRecord,
  isTrashed,
  type NodePath,
  nodes,
  readNodePath,
  toTrashed,
  walkPaths,
} from "../tree/records";
import { checkLevel, findPlace, getNodeRole, loadViewer, loadViewerForPath, type Viewer } from "../tree/rules";
import { CollectionTransfer, Move } from "../tree/schema";
import { startTransfer } from "../tree/start-transfer";
import { getVisibleNodes, readVisiblePaths } from "../tree/visible-nodes";
import { emptyCollection } from "./records";
import { collection, movingCollection } from "./rules";
import { Collection, CollectionChanges, NewCollection } from "./schema";
import { presentCollection } from "./views";

export const listCollections = defineOperation("GET /orgs/:organizationId/collections", {
  summary: "List collections",
  target: organization,
  right: "view",
  query: { nested: v.optional(BooleanParam, "true") },
  list: Collection,
  async handle(context) {
    const { tx, actor, query, pageRequest } = context;
    const present = (viewer: Viewer, paths: readonly NodePath[]) =>
      paths.map((path) => presentCollection({ ...context, path, role: getNodeRole(viewer, path) }, context.urls));
    if (query.nested) {
      const { viewer, collections } = await getVisibleNodes(context, actor.user.id);
      return paginateRows(pageRequest, collections, async (shown) =>
        present(viewer, await readVisiblePaths(tx, viewer, shown)),
      );
    }
    const viewer = await loadViewer(tx, actor.user.id);
    return paginateFiltered(
      pageRequest,
      walkPaths(tx, (slice) => nodes.list(tx, "folders", { under: [null], ...slice })),
      (path) => !isTrashed(path) && getNodeRole(viewer, path) !== null,
      (paths) => present(viewer, paths),
    );
  },
});

export const createCollection = defineOperation("POST /orgs/:organizationId/collections", {
  summary: "Create a collection",
  target: organization,
  right: "view",
  body: NewCollection,
  returns: Collection,
  status: 201,
  async handle(context) {
    const { tx, body, now, newId } = context;
    const id = newId("collection");
    const created: CollectionRecord = {
      type: "collection",
      id,
      title: body.title ?? "Untitled",
      description: null,
      defaultLevel: "inherit",
      createdAt: now.toISOString(),
      deletedAt: null,
      ...(await findPlace(context, { id, parent: body.parent ?? null })),
    };
    await nodes.put(tx, created);
    return presentChangedCollection(context, created);
  },
});

export const getCollection = defineOperation("GET /collections/:collectionId", {
  summary: "Get a collection",
  target: collection,
  right: "view",
  returns: Collection,
  handle: async (context) => presentCollection(context, context.urls),
});

export const updateCollection = defineOperation("PATCH /collections/:collectionId", {
  summary: "Update a collection",
  target: collection,
  right: "admin",
  body: CollectionChanges,
  returns: Collection,
  async handle(context) {
    const { tx, collection, path, role, body } = context;
    const changed: CollectionRecord = { ...collection, ...omitUndefined(body) };
    checkLevel(role, path, await readNodePath(tx, changed));
    await nodes.put(tx, changed);
    return presentChangedCollection(context, changed);
  },
});

export const deleteCollection = defineOperation("DELETE /collections/:collectionId", {
  summary: "Delete a collection",
  target: collection,
  right: "admin",
  async handle({ tx, organization, collection, actor, now, enqueueJob }) {
    await nodes.put(tx, toTrashed(collection, now.toISOString()));
    enqueueJob(emptyCollection, { organization: organization.id, collection: collection.id, by: actor.user.id });
  },
});

export const listSpacesInCollection = defineOperation("GET /collections/:collectionId/spaces", {
  summary: "List spaces in a collection",
  target: collection,
  right: "view",
  list: Space,
  async handle(context) {
    const { tx, collection, actor, pageRequest } = context;
    const viewer = await loadViewer(tx, actor.user.id);
    const passes = (path: NodePath) =>
      path[0].type === "space" && !isTrashed(path) && getNodeRole(viewer, path) !== null;
    const walk = walkPaths(tx, (slice) => nodes.list(tx, "children", { under: [collection.id], ...slice }));
    return paginateFiltered(pageRequest, walk, passes, (found) => presentSpacesForViewer(context, viewer, found));
  },
});

export const moveCollection = defineOperation("POST /collections/:collectionId/move", {
  summary: "Move a collection",
  target: collection,
  right: "admin",
  body: Move,
  returns: Collection,
  async handle(context) {
    const { tx, collection, path, role, body } = context;
    const isImplied = body.parent === undefined;
    const parent = isImplied ? collection.parent : body.parent!;
    // The height is the number of levels of collections, counting the collection itself.
    const view = await nodes.readGuarded(tx, "folders", [[]]);
    const measureHeight = async (id: string): Promise<number> => {
      const folders = await nodes.list(view, "folders", { under: [id], limit: 10_000 });
      const heights = await Promise.all(folders.map(({ record }) => measureHeight(record.id)));
      return heights.reduce((highest, height) => Math.max(highest, height + 1), 1);
    };
    const moving = { path, height: await measureHeight(collection.id) };
    const moved = {
      ...collection,
      ...(await findPlace(context, { id: collection.id, parent, position: body.position, isImplied }, moving)),
    };
    checkLevel(role, path, await readNodePath(tx, moved));
    await nodes.put(tx, moved);
    return presentChangedCollection(context, moved);
  },
});

export const transferCollection = defineOperation("POST /collections/:collectionId/transfer", {
  summary: "Transfer a collection",
  target: movingCollection,
  right: "admin",
  body: CollectionTransfer,
  returns: Collection,
  async handle(context) {
    const { body, urls } = context;
    const decided = await startTransfer(context, body);
    if (!decided) return presentCollection(context, urls);
    const { there, node } = decided;
    const path: NodePath = [{ ...node, parent: null }];
    return presentCollection({ ...there, path, role: getNodeRole(there.viewer, path) }, urls);
  },
});

/** Formats a collection as the caller sees it after a change. */
async function presentChangedCollection(
  context: OrganizationContext & { readonly tx: Reader; readonly actor: { user: { id: string } }; readonly urls: Urls },
  changed: CollectionRecord,
) {
  const path = await readNodePath(context.tx, changed);
  const role = getNodeRole(await loadViewerForPath(context.tx, context.actor.user.id, path), path);
  return presentCollection({ ...context, path, role }, context.urls);
}

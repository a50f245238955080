// Target and rights of collections.

import { isRoleAtLeast } from "../../../operation/roles";
import type { Target } from "../../../operation/target";
import { getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import { type CollectionRecord, isTrashed } from "../tree/records";
import { loadNode, type NodeContext } from "../tree/rules";

export interface CollectionContext extends NodeContext {
  readonly collection: CollectionRecord;
}

export const collection: Target<CollectionContext, "admin" | "viewInviteLinks" | "create"> = {
  findPartition({ collectionId }) {
    const code = parsePartitionCode("collection", collectionId!);
    return code && getPartitionByCode(code);
  },
  async load(scope) {
    const found = await loadNode(scope, scope.params.collectionId!, "collection");
    if (!found || isTrashed(found.path)) return undefined;
    return { ...found, collection: found.path[0] as CollectionRecord };
  },
  notFoundReason: "collection_not_found",
  rights: {
    view: ({ role }) => isRoleAtLeast(role, "read"),
    admin: ({ role }) => isRoleAtLeast(role, "create"),
    viewInviteLinks: ({ role }) => isRoleAtLeast(role, "create"),
    create: ({ role }) => isRoleAtLeast(role, "create"),
  },
};

/** A collection to be transferred to another organization. It is also found while a transfer has frozen it. */
export const movingCollection: typeof collection = {
  ...collection,
  load: (scope) => collection.load({ ...scope, isWriting: false }),
};

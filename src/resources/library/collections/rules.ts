// Who may do what with a collection.

import { isRoleAtLeast } from "../../../operation/roles";
import type { Target } from "../../../operation/target";
import { getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import { type CollectionRecord, isTrashed } from "../tree/records";
import { enterTree, type InTree } from "../tree/rules";

export interface InCollection extends InTree {
  readonly collection: CollectionRecord;
}

export const collection: Target<InCollection, "admin" | "viewInviteLinks" | "create"> = {
  findPartition({ collectionId }) {
    const code = parsePartitionCode("collection", collectionId!);
    return code && getPartitionByCode(code);
  },
  async load(scope) {
    const found = await enterTree(scope, scope.params.collectionId!, "collection");
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

/** A collection to be sent to another organization, also while it is being sent. */
export const movingCollection: typeof collection = {
  ...collection,
  load: (scope) => collection.load({ ...scope, isWriting: false }),
};

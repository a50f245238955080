// Implements the extension point by which the module of people reads and deletes grants.

import { isRoleAtLeast } from "../../../operation/roles";
import type { GrantsExtension } from "../../people/members/grants-extension";
import { nodes } from "../tree/records";
import { canSeeAny, loadViewer } from "../tree/rules";
import { grants } from "./records";

export const libraryGrants: GrantsExtension = {
  countSpaces: (tx, kind, ids) =>
    grants.totals(
      tx,
      "spaces",
      ids.map((id) => [kind, id]),
    ),
  async hasVisibleGrant(tx, user) {
    const viewer = await loadViewer(tx, user);
    return canSeeAny(tx, viewer, [...viewer.grantedRoles.keys()]);
  },
  async hasSpace(tx, space) {
    const node = await nodes.get(tx, space);
    return node?.type === "space" && node.deletedAt === null;
  },
  async grantOnSpace(tx, { space: node, user: grantee, role, createdAt }) {
    const existing = await grants.get(tx, node, "user", grantee);
    if (!existing) await grants.put(tx, { node, kind: "user", grantee, role, createdAt });
    else if (!isRoleAtLeast(existing.role, role)) await grants.put(tx, { ...existing, role });
  },
  dropGrants: (tx, kind, id) => grants.drain(tx, "ofGrantee", [kind, id]),
};

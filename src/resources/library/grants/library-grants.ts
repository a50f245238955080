// Implements the extension point by which the module of people reads and deletes grants.

import type { GrantsExtension } from "../../people/members/grants-extension";
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
  dropGrants: (tx, kind, id) => grants.drain(tx, "ofGrantee", [kind, id]),
};

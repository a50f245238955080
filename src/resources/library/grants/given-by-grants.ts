// Fills the hook of the wing of people that asks for grants.

import type { GrantsExtension } from "../../people/members/grants-extension";
import { seesAny, viewerOf } from "../tree/rules";
import { dropGrants, grants } from "./records";

export const givenByGrants: GrantsExtension = {
  countSpaces: (tx, kind, ids) =>
    grants.totals(
      tx,
      "spaces",
      ids.map((id) => [kind, id]),
    ),
  async hasVisibleGrant(tx, user) {
    const viewer = await viewerOf(tx, user);
    return seesAny(tx, viewer, [...viewer.given.keys()]);
  },
  dropGrants: (tx, kind, id) => dropGrants(tx, "ofGrantee", [kind, id]),
};

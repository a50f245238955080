// Fills the hook of the wing of people that asks for grants.

import type { Given } from "../../people/members/given";
import { seesAny, viewerOf } from "../tree/rules";
import { dropGrants, grants } from "./records";

export const givenByGrants: Given = {
  spaces: (tx, kind, ids) =>
    grants.totals(
      tx,
      "spaces",
      ids.map((id) => [kind, id]),
    ),
  async isSeen(tx, user) {
    const viewer = await viewerOf(tx, user);
    return seesAny(tx, viewer, [...viewer.given.keys()]);
  },
  drop: (tx, kind, id) => dropGrants(tx, "ofGrantee", [kind, id]),
};

// The spaces that a member of an organization has access to.

import * as v from "valibot";
import { partOfFiltered } from "../../../operation/list-parts";
import { operation } from "../../../operation/operation";
import { Order, Role } from "../../../shapes";
import { member } from "../../people/members/rules";
import { isTrashed, nodes, walkPaths } from "../tree/records";
import { roleIn, viewerOf } from "../tree/rules";
import { Space } from "./schema";
import { spaceViews } from "./views";

/** A space that a member has access to. */
const MemberSpace = v.object({ permission: Role, space: Space });

export const listMemberSpaces = operation("GET /orgs/:organizationId/members/:userId/spaces", {
  summary: "List the spaces that a member has access to, as far as you may see them",
  on: member,
  right: "view",
  query: { order: v.optional(Order, "desc") },
  list: MemberSpace,
  async handle(context) {
    const { tx, actor, member, query, listPart, urls } = context;
    const [mine, theirs] = await Promise.all([viewerOf(tx, actor.user.id), viewerOf(tx, member.user)]);
    const reverse = query.order === "desc";
    return partOfFiltered(
      listPart,
      walkPaths(tx, (slice) => nodes.list(tx, "spaces", { ...slice, reverse })),
      (path) => !isTrashed(path) && roleIn(mine, path) !== null && roleIn(theirs, path) !== null,
      async (found) => {
        const seen = found.map((path) => ({ ...context, path, role: roleIn(mine, path) }));
        const spaces = await spaceViews(tx, seen, urls);
        return found.map((path, i) => ({ permission: roleIn(theirs, path)!, space: spaces[i]! }));
      },
      { reverse },
    );
  },
});

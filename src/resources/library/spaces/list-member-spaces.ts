// The spaces that a member of an organization has access to.

import * as v from "valibot";
import { Role, SortOrder } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { paginateRows } from "../../../operation/pagination";
import { member } from "../../people/members/rules";
import { pathsSeen, type Seen, seenBy } from "../tree/known-tree";
import { roleIn } from "../tree/rules";
import { Space } from "./schema";
import { spaceViews } from "./views";

/** A space that a member has access to. */
const MemberSpace = v.object({ permission: Role, space: Space });

export const listMemberSpaces = defineOperation("GET /orgs/:organizationId/members/:userId/spaces", {
  summary: "List the spaces that a member has access to, as far as you may see them",
  target: member,
  right: "view",
  query: { order: v.optional(SortOrder, "desc") },
  list: MemberSpace,
  async handle(context) {
    const { tx, actor, member, query, pageRequest, urls } = context;
    const [mine, theirs] = [await seenBy(context, actor.user.id), await seenBy(context, member.user)];
    const both = mine.viewer.own === "admin" ? theirs.spaces : seenByBoth(mine, theirs);
    return paginateRows(
      pageRequest,
      both,
      async (shown) => {
        const found = (await pathsSeen(tx, mine.viewer, shown)).filter((path) => roleIn(theirs.viewer, path) !== null);
        const inTree = found.map((path) => ({ ...context, path, role: roleIn(mine.viewer, path) }));
        const spaces = await spaceViews(tx, inTree, urls);
        return found.map((path, i) => ({ permission: roleIn(theirs.viewer, path)!, space: spaces[i]! }));
      },
      { reverse: query.order === "desc" },
    );
  },
});

/** For one who looks: whom they looked at last, and what both see. What is seen is remembered until something changes. */
const lookedAt = new WeakMap<Seen, { readonly theirs: Seen; readonly both: Seen["spaces"] }>();

function seenByBoth(mine: Seen, theirs: Seen): Seen["spaces"] {
  const known = lookedAt.get(mine);
  if (known?.theirs === theirs) return known.both;
  const seen = new Set(mine.spaces.map(({ record }) => record.id));
  const both = theirs.spaces.filter(({ record }) => seen.has(record.id));
  lookedAt.set(mine, { theirs, both });
  return both;
}

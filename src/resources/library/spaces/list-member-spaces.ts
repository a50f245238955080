// The spaces that a member of an organization has access to.

import * as v from "valibot";
import { Role, SortOrder } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { paginateRows } from "../../../operation/pagination";
import { member } from "../../people/members/rules";
import { getNodeRole } from "../tree/rules";
import { getVisibleNodes, readVisiblePaths, type VisibleNodes } from "../tree/visible-nodes";
import { Space } from "./schema";
import { presentSpaces } from "./views";

const MemberSpace = v.object({ permission: Role, space: Space });

export const listMemberSpaces = defineOperation("GET /orgs/:organizationId/members/:userId/spaces", {
  summary: "List spaces of a member",
  target: member,
  right: "view",
  query: { order: v.optional(SortOrder, "desc") },
  list: MemberSpace,
  async handle(context) {
    const { tx, actor, member, query, pageRequest, urls } = context;
    const mine = await getVisibleNodes(context, actor.user.id);
    const theirs = await getVisibleNodes(context, member.user);
    let common = theirs.spaces;
    if (mine.viewer.organizationRole !== "admin") {
      const last = lastIntersections.get(mine);
      if (last?.theirs === theirs) common = last.common;
      else {
        const visibleIds = new Set(mine.spaces.map(({ record }) => record.id));
        common = theirs.spaces.filter(({ record }) => visibleIds.has(record.id));
        lastIntersections.set(mine, { theirs, common });
      }
    }
    return paginateRows(
      pageRequest,
      common,
      async (shown) => {
        const visible = await readVisiblePaths(tx, mine.viewer, shown);
        const paths = visible.filter((path) => getNodeRole(theirs.viewer, path) !== null);
        const found = paths.map((path) => ({ ...context, path, role: getNodeRole(mine.viewer, path) }));
        const spaces = await presentSpaces(tx, found, urls);
        return paths.map((path, i) => ({ permission: getNodeRole(theirs.viewer, path)!, space: spaces[i]! }));
      },
      { reverse: query.order === "desc" },
    );
  },
});

/** For each caller, the last member whose spaces they listed, and the spaces that both see. Cached until either changes. */
const lastIntersections = new WeakMap<
  VisibleNodes,
  { readonly theirs: VisibleNodes; readonly common: VisibleNodes["spaces"] }
>();

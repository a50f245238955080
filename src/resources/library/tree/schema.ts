// What spaces and collections share on the wire.

import * as v from "valibot";
import { Id, Role, text } from "../../../shapes";

export const Title = text(1, 50);

/** A role, null (no access by default), or `inherit`. */
export const DefaultLevel = v.pipe(v.nullable(v.union([Role, v.literal("inherit")])), v.title("DefaultLevel"));

const Pointer = v.variant(
  "type",
  [
    v.strictObject({ type: v.literal("space"), space: Id }),
    v.strictObject({ type: v.literal("collection"), collection: Id }),
  ],
  "Expected a space or a collection",
);

/** Beside which neighbour: exactly one of the two. */
export const Position = v.pipe(
  v.strictObject({ before: v.optional(Pointer), after: v.optional(Pointer) }),
  v.check(({ before, after }) => (before === undefined) !== (after === undefined), "Expected either before or after"),
  v.title("TreePosition"),
);

export const Move = v.strictObject({
  parent: v.optional(v.nullable(Id)),
  position: v.optional(Position),
});

/** What is on its way to another organization: where to, and the job that brings it there. */
export const Transfer = v.object({ organization: Id, job: Id });

/** To which organization, and, for a space, into which of its collections. */
export const CollectionTransfer = v.strictObject({ organization: Id });
export const SpaceTransfer = v.strictObject({ organization: Id, collection: v.optional(Id) });

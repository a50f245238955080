// Schemas that spaces and collections share.

import * as v from "valibot";
import { Id, Role, textSchema } from "../../../operation/common-schemas";

export const Title = textSchema(1, 50);

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

/** The neighbour next to which a node is put: exactly one of the two. */
export const Position = v.pipe(
  v.strictObject({ before: v.optional(Pointer), after: v.optional(Pointer) }),
  v.check(({ before, after }) => (before === undefined) !== (after === undefined), "Expected either before or after"),
  v.title("TreePosition"),
);

export const Move = v.strictObject({
  parent: v.optional(v.nullable(Id)),
  position: v.optional(Position),
});

/** The transfer of a node: the destination, and the job that runs it. */
export const Transfer = v.object({ organization: Id, job: Id });

/** The destination organization and, for a space, the collection in it. */
export const CollectionTransfer = v.strictObject({ organization: Id });
export const SpaceTransfer = v.strictObject({ organization: Id, collection: v.optional(Id) });

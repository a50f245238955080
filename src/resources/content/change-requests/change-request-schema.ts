// A change request on the wire. Revisions include the change request that they merged, so this schema has a file of its own.

import * as v from "valibot";
import { Id, namedObject, Timestamp, UrlString, User } from "../../../operation/common-schemas";

const statuses = ["draft", "open", "archived", "merged"] as const;
export const StatusSchema = v.picklist(statuses, `Expected one of ${statuses.join(", ")}`);

export const ChangeRequest = namedObject("ChangeRequest", {
  object: v.literal("change-request"),
  id: Id,
  number: v.number(),
  space: v.pipe(Id, v.description("The ID of the space to change.")),
  status: StatusSchema,
  subject: v.string(),
  createdBy: v.optional(User),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Id,
  revisionInitial: Id,
  revisionMergedAncestor: v.optional(Id),
  revisionMerged: v.optional(Id),
  comments: v.number(),
  conflicts: v.number(),
  outdated: v.boolean(),
  urls: v.object({ location: UrlString, app: UrlString }),
});

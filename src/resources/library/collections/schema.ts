// Collections on the wire.

import * as v from "valibot";
import { Id, namedObject, textSchema, UrlString } from "../../../operation/common-schemas";
import { DefaultLevel, Title, Transfer } from "../tree/schema";

export const Collection = namedObject("Collection", {
  object: v.literal("collection"),
  id: Id,
  title: v.string(),
  description: v.optional(v.string()),
  organization: Id,
  parent: v.optional(Id),
  defaultLevel: DefaultLevel,
  transfer: v.optional(Transfer),
  urls: v.object({ location: UrlString, app: UrlString }),
  permissions: v.object({ view: v.boolean(), admin: v.boolean(), viewInviteLinks: v.boolean(), create: v.boolean() }),
});

export const NewCollection = v.strictObject({ title: v.optional(Title), parent: v.optional(v.nullable(Id)) });

export const CollectionChanges = v.strictObject({
  title: v.optional(Title),
  description: v.optional(v.nullable(textSchema(0, 100))),
  defaultLevel: v.optional(DefaultLevel),
});

// Collections on the wire.

import type * as v from "valibot";
import { getPermissions } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import { omitUndefined } from "../../../utils/objects";
import type { CollectionRecord } from "../tree/records";
import { type NodeContext, presentTransfer } from "../tree/rules";
import { collection } from "./rules";
import type { Collection } from "./schema";

export function presentCollection(it: NodeContext, urls: Urls): v.InferOutput<typeof Collection> {
  const found = it.path[0] as CollectionRecord;
  const { id, title, description, parent, defaultLevel } = found;
  return {
    object: "collection",
    id,
    title,
    ...omitUndefined({ description: description === null ? undefined : description }),
    organization: it.organization.id,
    ...omitUndefined({ parent: parent === null ? undefined : parent }),
    defaultLevel,
    ...presentTransfer(it),
    urls: { location: urls.api(`/collections/${id}`), app: urls.app(`/o/${it.organization.id}/c/${id}`) },
    permissions: getPermissions(collection, { ...it, collection: found }, [
      "view",
      "admin",
      "viewInviteLinks",
      "create",
    ]),
  };
}

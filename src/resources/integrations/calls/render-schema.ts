// The input of components on the wire.

import * as v from "valibot";
import { Id, maxJsonSize, recordSchema, textSchema } from "../../../operation/common-schemas";
import { PartId } from "../definitions/schema";

const Theme = v.optional(v.picklist(["light", "dark"], "Expected light or dark"));
/** The properties of a component, which are passed to its script. */
const Members = v.pipe(
  recordSchema(v.string(), v.unknown(), 1000, "Expected at most 1000 members"),
  maxJsonSize(256 * 1024),
);

/** The place where a component is shown. Every id in it is resolved as the caller sees it. */
export const RenderContext = v.variant("type", [
  v.strictObject({ type: v.literal("document"), spaceId: Id, editable: v.optional(v.boolean()), theme: Theme }),
  v.strictObject({ type: v.literal("configuration_account"), organizationId: Id, theme: Theme }),
  v.strictObject({ type: v.literal("configuration_space"), spaceId: Id, theme: Theme }),
  v.strictObject({ type: v.literal("configuration_site"), siteId: Id, theme: Theme }),
  v.strictObject({
    type: v.literal("configuration_contentsource"),
    organizationId: Id,
    spaceId: v.optional(Id),
    theme: Theme,
  }),
]);
export type RenderContext = v.InferOutput<typeof RenderContext>;

export const RenderRequest = v.strictObject({
  componentId: PartId,
  props: Members,
  state: v.optional(Members),
  context: RenderContext,
  action: v.optional(v.pipe(v.objectWithRest({ action: textSchema(1, 100) }, v.unknown()), maxJsonSize(256 * 1024))),
});
export type RenderRequest = v.InferOutput<typeof RenderRequest>;

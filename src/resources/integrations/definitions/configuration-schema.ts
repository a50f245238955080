// The configuration that an integration declares: named properties with types, or a component with its own form.

import * as v from "valibot";
import { listSchema, recordSchema, textSchema } from "../../../operation/common-schemas";

const ComponentId = v.pipe(
  v.string("Expected text"),
  v.regex(/^[a-zA-Z0-9\-_.]{1,100}$/, "Expected 1 to 100 letters, digits, dots, hyphens and underscores"),
);

const shown = { title: v.optional(textSchema(0, 100)), description: v.optional(textSchema(0, 500)) };
const Address = v.pipe(v.string("Expected text"), v.maxLength(2048, "Expected at most 2048 characters"));

export const ConfigurationProperty = v.variant("type", [
  v.strictObject({
    type: v.literal("string"),
    ...shown,
    default: v.optional(textSchema(0, 4096)),
    completion_url: v.optional(Address),
    enum: v.optional(v.pipe(listSchema(textSchema(0, 512), 200), v.minLength(1, "Expected at least one"))),
  }),
  v.strictObject({ type: v.literal("number"), ...shown, default: v.optional(v.number("Expected a number")) }),
  v.strictObject({ type: v.literal("boolean"), ...shown, default: v.optional(v.boolean()) }),
  v.strictObject({
    type: v.literal("button"),
    ...shown,
    callback_url: Address,
    button_text: v.optional(textSchema(1, 100)),
  }),
]);
export type ConfigurationProperty = v.InferOutput<typeof ConfigurationProperty>;

const PropertyName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z_$][\w.$-]{0,99}$/, "Expected a name of letters, digits, _ $ . and -"),
);

const MAX_PROPERTIES = 50;

const Properties = v.pipe(
  v.strictObject({
    properties: recordSchema(
      PropertyName,
      ConfigurationProperty,
      MAX_PROPERTIES,
      `Expected at most ${MAX_PROPERTIES} properties`,
    ),
    required: v.optional(listSchema(v.string(), MAX_PROPERTIES)),
  }),
  v.check(
    ({ properties, required }) => (required ?? []).every((name) => Object.hasOwn(properties, name)),
    "A property is required that is not declared",
  ),
  v.check(
    ({ properties }) =>
      Object.values(properties).every(
        (it) => it.type !== "string" || !it.enum || it.default === undefined || it.enum.includes(it.default),
      ),
    "A default is not among the values that its property may have",
  ),
);

/** The declaration of one level. */
export const ConfigurationSchema = v.pipe(
  v.union(
    [Properties, v.strictObject({ componentId: ComponentId })],
    "Expected properties, with a default that its property may have and nothing required that is not declared, or a componentId",
  ),
  v.title("IntegrationConfigurationSchema"),
);
export type ConfigurationSchema = v.InferOutput<typeof ConfigurationSchema>;

/** The declarations of all levels. */
export const Configurations = v.pipe(
  v.strictObject({
    account: v.optional(ConfigurationSchema),
    space: v.optional(ConfigurationSchema),
    site: v.optional(ConfigurationSchema),
  }),
  v.title("IntegrationConfigurations"),
);
export type Configurations = v.InferOutput<typeof Configurations>;

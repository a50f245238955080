// Checks the configuration of an installation against the declaration of its integration. Defaults are filled in. The
// installation is pending until every required property is set.

import { createValidationError } from "../../../errors";
import { getJsonSize } from "../../../utils/bytes";
import type { ConfigurationSchema } from "../definitions/configuration-schema";
import type { Configuration } from "../records";

const MAX_BYTES = 16 * 1024;

/** Returns the configuration with defaults filled in. Throws 400 with the path of the invalid field below `path`. */
export function resolveConfiguration(
  schema: ConfigurationSchema | undefined,
  given: Configuration,
  path: string,
): Configuration {
  if (getJsonSize(given) > MAX_BYTES) throw createValidationError(path, `Expected at most ${MAX_BYTES} bytes`);
  if (!schema || !("properties" in schema)) return given;
  const { properties } = schema;
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(properties, name))
      throw createValidationError(`${path}.${name}`, "The integration doesn't declare this property");
    const property = properties[name]!;
    // The integration itself sets the value behind a button.
    if (value === null || property.type === "button") continue;
    if (property.type !== typeof value) throw createValidationError(`${path}.${name}`, `Expected a ${property.type}`);
    if (property.type === "string" && property.enum && !property.enum.includes(value as string))
      throw createValidationError(`${path}.${name}`, `Expected one of ${property.enum.join(", ")}`);
  }
  const defaults = Object.entries(properties).flatMap(([name, property]) =>
    "default" in property && property.default !== undefined ? [[name, property.default] as const] : [],
  );
  return { ...Object.fromEntries(defaults), ...given };
}

/** Returns true if all required properties are set. Forms send null or an empty text for an empty field. */
export function isConfigurationComplete(
  schema: ConfigurationSchema | undefined,
  configuration: Configuration,
): boolean {
  if (!schema || !("properties" in schema)) return true;
  return (schema.required ?? []).every((name) => {
    const value = configuration[name];
    return value !== undefined && value !== null && value !== "";
  });
}

// Checks the configuration of an installation against the declaration of its integration. Defaults are filled in. The
// installation is pending until every required property is set.

import { createValidationError } from "../../../errors";
import type { Json } from "../../../storage/storage";
import type { ConfigurationProperty, ConfigurationSchema } from "../definitions/configuration-schema";
import type { Configuration } from "../records";

/** The most bytes of a configuration. */
const MAX_BYTES = 16 * 1024;

/** The configuration with defaults filled in. Throws 400 with the path of the wrong field below `at`. */
export function resolveConfiguration(
  schema: ConfigurationSchema | undefined,
  given: Configuration,
  at: string,
): Configuration {
  if (new TextEncoder().encode(JSON.stringify(given)).length > MAX_BYTES)
    throw createValidationError(at, `Expected at most ${MAX_BYTES} bytes`);
  if (!schema || !("properties" in schema)) return given;
  const { properties } = schema;
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(properties, name))
      throw createValidationError(`${at}.${name}`, "The integration declares no such property");
    const expected = mismatch(properties[name]!, value);
    if (expected) throw createValidationError(`${at}.${name}`, expected);
  }
  const defaults = Object.entries(properties).flatMap(([name, property]) =>
    "default" in property && property.default !== undefined ? [[name, property.default] as const] : [],
  );
  return { ...Object.fromEntries(defaults), ...given };
}

/** Whether all required properties are set. */
export function isConfigurationComplete(
  schema: ConfigurationSchema | undefined,
  configuration: Configuration,
): boolean {
  if (!schema || !("properties" in schema)) return true;
  return (schema.required ?? []).every((name) => isSet(configuration[name]));
}

/** Null and an empty text are what a form sends for an empty field. */
function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== "";
}

function mismatch(property: ConfigurationProperty, value: Json): string | undefined {
  // The value behind a button is set by the integration itself.
  if (value === null || property.type === "button") return undefined;
  if (property.type !== typeof value) return `Expected a ${property.type}`;
  if (property.type === "string" && property.enum && !property.enum.includes(value as string))
    return `Expected one of ${property.enum.join(", ")}`;
  return undefined;
}

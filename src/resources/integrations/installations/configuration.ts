// What an installation is configured with, held against what the integration declares: defaults are filled in, and it is
// pending until everything that is required is there.

import { invalid } from "../../../errors";
import type { Json } from "../../../store/storage";
import type { ConfigurationProperty, ConfigurationSchema } from "../definitions/configuration-schema";
import type { Configuration } from "../records";

/** The most bytes of a configuration. */
const MAX_BYTES = 16 * 1024;

/** What was given, with the defaults filled in; throws 400 with the path of the member below `at`. */
export function configured(schema: ConfigurationSchema | undefined, given: Configuration, at: string): Configuration {
  if (new TextEncoder().encode(JSON.stringify(given)).length > MAX_BYTES)
    throw invalid(at, `Expected at most ${MAX_BYTES} bytes`);
  if (!schema || !("properties" in schema)) return given;
  const { properties } = schema;
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(properties, name)) throw invalid(`${at}.${name}`, "The integration declares no such property");
    const expected = mismatch(properties[name]!, value);
    if (expected) throw invalid(`${at}.${name}`, expected);
  }
  const defaults = Object.entries(properties).flatMap(([name, property]) =>
    "default" in property && property.default !== undefined ? [[name, property.default] as const] : [],
  );
  return { ...Object.fromEntries(defaults), ...given };
}

/** Whether everything is set that is required. */
export function isComplete(schema: ConfigurationSchema | undefined, configuration: Configuration): boolean {
  if (!schema || !("properties" in schema)) return true;
  return (schema.required ?? []).every((name) => isSet(configuration[name]));
}

/** Nothing, and an empty text, are what a form sends for a field that was left alone. */
function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== "";
}

function mismatch(property: ConfigurationProperty, value: Json): string | undefined {
  // What is behind a button is up to the integration, which puts it there itself.
  if (value === null || property.type === "button") return undefined;
  if (property.type !== typeof value) return `Expected a ${property.type}`;
  if (property.type === "string" && property.enum && !property.enum.includes(value as string))
    return `Expected one of ${property.enum.join(", ")}`;
  return undefined;
}

// Converts between the configuration of an integration and the values of its form fields.

import type { IntegrationConfigurationSchema } from "../../../generated/resources";
import { tryParseUrl } from "../../../utils/url";

type Properties = Extract<IntegrationConfigurationSchema, { properties: unknown }>["properties"];
export type ConfigurationFieldValues = Readonly<Record<string, string | boolean>>;

/** Returns the initial values of the fields: the configured values, or the defaults. */
export function toFieldValues(
  properties: Properties,
  values: Readonly<Record<string, unknown>>,
): ConfigurationFieldValues {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]): [string, string | boolean][] => {
      if (property.type === "button") return [];
      const value = values[name] ?? property.default;
      if (property.type === "boolean") return [[name, value === true]];
      return [[name, value === undefined || value === null ? "" : String(value)]];
    }),
  );
}

/**
 * Converts the values of fields to a configuration. An empty field is null. Settings without a field, such as those of a button,
 * stay as they were.
 */
export function toConfigurationValues(
  properties: Properties,
  typed: ConfigurationFieldValues,
  before: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values = Object.entries(typed).map(([name, value]): [string, unknown] => {
    if (typeof value === "boolean") return [name, value];
    if (value === "") return [name, null];
    // A text that is no number is sent as it is, and the API reports the error.
    const number = Number(value);
    return [name, properties[name]?.type === "number" && !Number.isNaN(number) ? number : value];
  });
  return { ...before, ...Object.fromEntries(values) };
}

/** Returns the URL of a button, below the public endpoint of the installation or elsewhere on the web. Only HTTP is allowed. */
export function resolveButtonUrl(callback: string, publicEndpoint: string): string | undefined {
  const base = publicEndpoint.replace(/\/$/, "");
  const url = tryParseUrl(callback.startsWith("/") && !callback.startsWith("//") ? `${base}${callback}` : callback);
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : undefined;
}

// The configuration that an integration declares, as fields, and what is typed into them as values.

import type { IntegrationConfigurationSchema } from "../../../generated/resources";
import { tryParseUrl } from "../../../utils/url";

type Properties = Extract<IntegrationConfigurationSchema, { properties: unknown }>["properties"];
export type Property = Properties[string];
export type Typed = Readonly<Record<string, string | boolean>>;

/** What the fields show at first: the value that is set, else the default. */
export function typedOf(properties: Properties, values: Readonly<Record<string, unknown>>): Typed {
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
 * The values of the fields. A field that is left empty is null. What has no field, such as what stands behind a button,
 * stays as it was.
 */
export function valuesOf(
  properties: Properties,
  typed: Typed,
  before: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const values = Object.entries(typed).map(([name, value]): [string, unknown] => {
    if (typeof value === "boolean") return [name, value];
    if (value === "") return [name, null];
    // What is no number is sent as it is: the API says what it expects.
    const number = Number(value);
    return [name, properties[name]?.type === "number" && !Number.isNaN(number) ? number : value];
  });
  return { ...before, ...Object.fromEntries(values) };
}

/** Where a button leads: below the public address of the installation, or elsewhere on the web. Nothing else is opened. */
export function addressOfButton(callback: string, publicEndpoint: string): string | undefined {
  const base = publicEndpoint.replace(/\/$/, "");
  const url = tryParseUrl(callback.startsWith("/") && !callback.startsWith("//") ? `${base}${callback}` : callback);
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.href : undefined;
}

/** A JSON object that somebody typed; undefined when it is none. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text === "" ? "{}" : text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

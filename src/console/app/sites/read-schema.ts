// Parses the text of a schema that a user typed.

import { isJsonObject } from "../../../utils/objects";

/** Parses a JSON object. Returns no schema for any other text. */
export function readSchema(text: string): { readonly schema?: Record<string, unknown> } {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? { schema: { ...value } } : {};
  } catch {
    return {};
  }
}

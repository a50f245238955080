// Parses the text of a schema that a user typed.

/** Parses a JSON object. Returns no schema for any other text. */
export function readSchema(text: string): { readonly schema?: Record<string, unknown> } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { schema: { ...value } } : {};
  } catch {
    return {};
  }
}

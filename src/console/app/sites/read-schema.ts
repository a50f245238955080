// The text of a schema, as somebody types it.

/** The object that a text of JSON is; nothing where it is no object. */
export function readSchema(text: string): { readonly schema?: Record<string, unknown> } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { schema: { ...value } } : {};
  } catch {
    return {};
  }
}

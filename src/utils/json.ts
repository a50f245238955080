// Parses untrusted JSON.

import { isJsonObject } from "./objects";

/** Returns the value of a JSON text. Returns undefined if the text is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the value of a JSON text that is an object. Returns undefined for any other text. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  const value = tryParseJson(text);
  return isJsonObject(value) ? value : undefined;
}

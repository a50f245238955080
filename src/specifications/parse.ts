// The text of a document as values: JSON, or YAML 1.2 with few aliases. Nothing in it is run, and no tag makes anything but
// plain values.

import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { MAX_ALIASES, MAX_DEPTH } from "./limits";
import { SpecificationRefused } from "./refused";

/** What a text is written in. */
export type Format = "json" | "yaml";

/** The values of a text. */
export interface Parsed {
  readonly value: unknown;
  readonly format: Format;
}

const schema = CORE_SCHEMA.withTags(mergeTag);

/** Reads a text; `name` is what it is called in a refusal. */
export function parse(text: string, name: string): Parsed {
  const bare = text.startsWith("\ufeff") ? text.slice(1) : text;
  // YAML has JSON in it, and reads it a hundred times slower.
  if (/^\s*[{[]/.test(bare)) {
    try {
      return { value: JSON.parse(bare) as unknown, format: "json" };
    } catch {}
  }
  try {
    const value = load(bare, { schema, maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES, maxTotalMergeKeys: MAX_ALIASES });
    return { value, format: "yaml" };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n")[0]!.slice(0, 200) : "it cannot be read";
    throw new SpecificationRefused("PARSE_ERROR", `${name} is neither JSON nor YAML: ${reason}.`, { cause });
  }
}

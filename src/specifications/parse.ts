// The text of a document as values: JSON, or YAML 1.2 with few aliases. Nothing in it is run, and no tag makes anything but
// plain values.

import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { MAX_ALIASES, MAX_DEPTH, MAX_ENTRIES } from "./limits";
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
  // YAML includes JSON, but a YAML parser reads it a hundred times slower.
  if (/^\s*[{[]/.test(bare)) {
    try {
      return { value: JSON.parse(bare) as unknown, format: "json" };
    } catch {}
  }
  if (hasTooMany(bare))
    throw new SpecificationRefused("PARSE_ERROR", `${name} has more than ${MAX_ENTRIES} lines and entries of YAML.`);
  try {
    const value = load(bare, { schema, maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES, maxTotalMergeKeys: MAX_ALIASES });
    return { value, format: "yaml" };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n")[0]!.slice(0, 200) : "it cannot be read";
    throw new SpecificationRefused("PARSE_ERROR", `${name} is neither JSON nor YAML: ${reason}.`, { cause });
  }
}

function hasTooMany(text: string): boolean {
  let entries = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code === LINE || code === RETURN || code === COMMA) && ++entries > MAX_ENTRIES) return true;
  }
  return false;
}

const LINE = 10;
const RETURN = 13;
const COMMA = 44;

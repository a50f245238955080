// The text of a document as values: JSON, or YAML 1.2 with few aliases. Nothing in it is run, and no tag makes anything but
// plain values.

import { parseJsonInSteps as parseJson } from "../../utils/concurrency/json-steps";
import { MAX_ENTRIES, MAX_ENTRIES_AT_ONCE } from "./limits";
import { SpecificationRefused } from "./refused";
import { entriesInSteps, readYaml, TooLongAtOnce } from "./yaml";

/** What a text is written in. */
export type Format = "json" | "yaml";

/** The values of a text. */
export interface Parsed {
  readonly value: unknown;
  readonly format: Format;
}

/** Reads a text step by step; `name` is what it is called in a refusal. */
export function* parseInSteps(text: string, name: string): Generator<void, Parsed> {
  const bare = text.startsWith("\ufeff") ? text.slice(1) : text;
  // YAML includes JSON, but a YAML parser reads it a hundred times slower.
  if (/^\s*[{[]/.test(bare)) {
    try {
      return { value: yield* parseJson(bare), format: "json" };
    } catch {}
  }
  if ((yield* entriesInSteps(bare, MAX_ENTRIES)) > MAX_ENTRIES)
    throw refused(`${name} has more than ${MAX_ENTRIES} lines and entries of YAML.`);
  try {
    return { value: yield* readYaml(bare), format: "yaml" };
  } catch (cause) {
    if (cause instanceof TooLongAtOnce)
      throw refused(
        `${name} has more than ${MAX_ENTRIES_AT_ONCE} lines and entries of YAML in one list or object. Indent them, one to a line, without anchors, or send it as JSON.`,
      );
    throw refused(`${name} is neither JSON nor YAML: ${reasonOf(cause)}.`, cause);
  }
}

function refused(sentence: string, cause?: unknown): SpecificationRefused {
  return new SpecificationRefused("PARSE_ERROR", sentence, cause === undefined ? undefined : { cause });
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.split("\n")[0]!.slice(0, 200) : "it cannot be read";
}

// Parses the text of a document: JSON, or YAML 1.2 with few aliases. Nothing in it is executed, and tags create only plain values.

import { parseJsonInSteps as parseJson } from "../../utils/concurrency/json-steps";
import type { Steps } from "../../utils/concurrency/steps";
import { SpecificationError } from "./errors";
import { MAX_ENTRIES, MAX_ENTRIES_AT_ONCE } from "./limits";
import { countEntriesInSteps, readYaml, UnsplittableTextError } from "./yaml";

export type DocumentFormat = "json" | "yaml";

/** The values of a text. */
export interface ParsedDocument {
  readonly value: unknown;
  readonly format: DocumentFormat;
}

/** Parses a text step by step. `name` is the name of the text in errors. */
export function* parseInSteps(text: string, name: string): Steps<ParsedDocument> {
  const withoutMark = text.startsWith("\ufeff") ? text.slice(1) : text;
  // YAML includes JSON, but a YAML parser reads it a hundred times slower.
  if (/^\s*[{[]/.test(withoutMark)) {
    try {
      return { value: yield* parseJson(withoutMark), format: "json" };
    } catch {}
  }
  if ((yield* countEntriesInSteps(withoutMark, MAX_ENTRIES)) > MAX_ENTRIES)
    throw new SpecificationError("PARSE_ERROR", `${name} has more than ${MAX_ENTRIES} lines and entries of YAML.`);
  try {
    return { value: yield* readYaml(withoutMark), format: "yaml" };
  } catch (cause) {
    if (cause instanceof UnsplittableTextError)
      throw new SpecificationError(
        "PARSE_ERROR",
        `${name} has more than ${MAX_ENTRIES_AT_ONCE} lines and entries of YAML in one list or object. ` +
          "Indent them, one to a line, without anchors, or send it as JSON.",
      );
    const reason = cause instanceof Error ? cause.message.split("\n")[0]!.slice(0, 200) : "it cannot be read";
    throw new SpecificationError("PARSE_ERROR", `${name} is neither JSON nor YAML: ${reason}.`, { cause });
  }
}

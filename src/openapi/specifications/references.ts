// Walks through a document once, to check that it is harmless as JSON and to find its references to other documents.
//
// A document from YAML may have the same value in many places, or inside itself. Each place counts. So a document that would become
// too large as JSON, or would never end, is refused before it is written.

import type { Steps } from "../../utils/concurrency/steps";
import { SpecificationError } from "./errors";
import { MAX_DEPTH, MAX_WRITTEN_OUT } from "./limits";

/** An object with a `$ref` that leads out of its document. */
export interface ReferenceHolder {
  $ref: string;
}

/** Fields whose own fields have names that people choose, so that these names have no meaning. */
const NAMED_MEMBERS = new Set(
  [
    "properties patternProperties dependentSchemas $defs definitions schemas responses parameters requestBodies headers examples",
    "links callbacks paths pathItems webhooks securitySchemes securityDefinitions content encoding variables",
  ].flatMap((names) => names.split(" ")),
);
/** Fields with a value of the application. A `$ref` there is data. */
const DATA_FIELDS = new Set(["example", "default", "const", "enum", "value"]);

/** The number of lists and objects that are visited in one step. */
const VALUES_PER_STEP = 500;

/** A value to visit. `isNamed` is true if people choose the names of its members. */
interface PendingValue {
  readonly value: object;
  readonly depth: number;
  readonly isNamed: boolean;
  readonly isData: boolean;
}

/** Finds the objects that refer to other documents, each once. Throws if the document cannot be written as JSON within limits. */
export function* findExternalReferences(document: unknown, name: string): Steps<ReferenceHolder[]> {
  const found = new Set<ReferenceHolder>();
  const stack: PendingValue[] = [];
  let remaining = MAX_WRITTEN_OUT;
  const visit = (value: unknown, depth: number, isNamed: boolean, isData: boolean) => {
    remaining -= typeof value === "string" ? value.length + 3 : 8;
    if (remaining < 0)
      throw new SpecificationError("PARSE_ERROR", `${name} is too large with its aliases written out.`);
    if (typeof value !== "object" || value === null) return;
    if (depth > MAX_DEPTH)
      throw new SpecificationError("PARSE_ERROR", `${name} has more than ${MAX_DEPTH} values inside each other.`);
    stack.push({ value, depth, isNamed, isData });
  };
  visit(document, 0, false, false);
  let visited = 0;
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value, depth, isNamed, isData } = next;
    if (++visited % VALUES_PER_STEP === 0) yield;
    if (Array.isArray(value)) {
      for (let i = value.length - 1; i >= 0; i--) visit(value[i], depth + 1, false, isData);
      continue;
    }
    // In reverse, because the stack is emptied from its end. So values are visited in their order.
    for (const [member, child] of Object.entries(value).reverse()) {
      // JSON can carry this name, but many programs that read it cannot.
      if (member === "__proto__")
        throw new SpecificationError(
          "PARSE_ERROR",
          `${name} has a member with the name __proto__, which cannot be used.`,
        );
      remaining -= member.length + 4;
      if (
        member === "$ref" &&
        !isData &&
        !isNamed &&
        typeof child === "string" &&
        child !== "" &&
        !child.startsWith("#")
      )
        found.add(value as ReferenceHolder);
      const holdsNames = !isNamed && NAMED_MEMBERS.has(member);
      visit(child, depth + 1, holdsNames, isData || (!isNamed && DATA_FIELDS.has(member)));
    }
  }
  return [...found];
}

// Walks through a document once: whether it is harmless as JSON, and where it refers to other documents.
//
// A document from YAML may hold the same value in many places, or inside itself. It is walked as it would be written
// out. So a document that would become too large, or would never end, is refused before anybody writes it.

import { MAX_DEPTH, MAX_WRITTEN_OUT } from "./limits";
import { SpecificationRefused } from "./refused";

/** An object with a `$ref` that leads out of its document. */
export interface Holder {
  $ref: string;
}

/** Fields whose own fields have names that people chose, so that a name has no meaning there. */
const NAMED = new Set(
  "properties patternProperties dependentSchemas $defs definitions schemas responses parameters requestBodies headers examples links callbacks paths pathItems webhooks securitySchemes securityDefinitions content encoding variables".split(
    " ",
  ),
);
/** Fields that hold a value of the application. What looks like a reference there is data. */
const DATA = new Set(["example", "default", "const", "enum", "value"]);

/** How many lists and objects are gone into in one step. */
const STEP = 500;

/** A value on the way, and whether the names in it are people's. */
interface Ahead {
  readonly value: object;
  readonly depth: number;
  readonly isNamed: boolean;
  readonly isData: boolean;
}

/** The objects that refer to other documents, each once; refuses what cannot be written as JSON within bounds. */
export function* externalHolders(document: unknown, name: string): Generator<void, Holder[]> {
  const found = new Set<Holder>();
  const ahead: Ahead[] = [];
  let room = MAX_WRITTEN_OUT;
  const meet = (value: unknown, depth: number, isNamed: boolean, isData: boolean) => {
    room -= typeof value === "string" ? value.length + 3 : 8;
    if (room < 0) throw refused(`${name} is too large with its aliases written out.`);
    if (typeof value !== "object" || value === null) return;
    if (depth > MAX_DEPTH) throw refused(`${name} has more than ${MAX_DEPTH} values inside each other.`);
    ahead.push({ value, depth, isNamed, isData });
  };
  meet(document, 0, false, false);
  let met = 0;
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    const { value, depth, isNamed, isData } = next;
    if (++met % STEP === 0) yield;
    if (Array.isArray(value)) {
      for (let i = value.length - 1; i >= 0; i--) meet(value[i], depth + 1, false, isData);
      continue;
    }
    // In reverse, because the stack is emptied from its end. So values are visited in their order.
    for (const [member, inside] of Object.entries(value).reverse()) {
      // JSON can carry this name, but many programs that read it cannot.
      if (member === "__proto__") throw refused(`${name} has a member with the name __proto__, which cannot be used.`);
      room -= member.length + 4;
      if (member === "$ref" && !isData && !isNamed && isExternal(inside)) found.add(value as Holder);
      const holdsNames = !isNamed && NAMED.has(member);
      meet(inside, depth + 1, holdsNames, isData || (!isNamed && DATA.has(member)));
    }
  }
  return [...found];
}

function isExternal(ref: unknown): ref is string {
  return typeof ref === "string" && ref !== "" && !ref.startsWith("#");
}

function refused(sentence: string): SpecificationRefused {
  return new SpecificationRefused("PARSE_ERROR", sentence);
}

/** A reference as the document that it names and the place in there, with its `#`. */
export function splitReference(ref: string): { readonly document: string; readonly fragment: string } {
  const at = ref.indexOf("#");
  return at < 0 ? { document: ref, fragment: "" } : { document: ref.slice(0, at), fragment: ref.slice(at) };
}

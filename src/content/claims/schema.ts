// What a site may know of its visitors: a JSON Schema (draft-07) in one narrow form. Nothing in it refers, computes or
// matches patterns, so that checking a visitor against it is a walk over plain data, bounded in depth and size.

/** A claim that is one value. */
export type ScalarClaim =
  | { readonly type: "boolean"; readonly description?: string }
  | { readonly type: "number"; readonly description?: string }
  | { readonly type: "string"; readonly description?: string; readonly enum?: readonly string[] };
export type ArrayClaim = { readonly type: "array"; readonly description?: string; readonly items: ScalarClaim };
export type ObjectClaim = {
  readonly type: "object";
  readonly description?: string;
  readonly properties: Readonly<Record<string, Claim>>;
  readonly additionalProperties: false;
};
export type Claim = ScalarClaim | ArrayClaim | ObjectClaim;

/** The schema of a site's visitors; `properties.unsigned` has what they say of themselves. */
export type ClaimsSchema = ObjectClaim & { readonly $schema?: string };

/** What is wrong with a schema, and the way to the member that is. */
export interface SchemaIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Claims of all levels together, objects included. */
export const MAX_CLAIMS = 100;
/** Objects in objects, the schema itself included. */
export const MAX_CLAIM_DEPTH = 5;
export const MAX_NAME = 64;
export const MAX_DESCRIPTION = 256;
export const MAX_VALUES = 50;
export const MAX_VALUE = 100;
/** The whole schema, in bytes of its JSON. */
export const MAX_SCHEMA = 32_768;

const DRAFT = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
/** No quote, backslash or control character: every name can be written in a condition as it is. */
const NAME = /^[\p{L}\p{N}_$][\p{L}\p{N}_$ .:/@-]*$/u;
const CLOSED = new Set(["__proto__", "constructor", "prototype"]);
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** Claims with a meaning of their own in every JWT; none of them is a claim of a visitor. */
export const REGISTERED: ReadonlySet<string> = new Set(["exp", "iat", "nbf", "iss", "sub", "aud", "jti"]);
/** The member that holds what visitors say of themselves. */
export const UNSIGNED = "unsigned";

/** The first problem of a schema; undefined when it is valid, and then it is a `ClaimsSchema`. */
export function wrongInSchema(value: unknown): SchemaIssue | undefined {
  try {
    new Inspection().schema(value);
    return undefined;
  } catch (error) {
    if (error instanceof Wrong) return { path: error.path, message: error.message };
    throw error;
  }
}

class Wrong extends Error {
  constructor(
    readonly path: readonly (string | number)[],
    message: string,
  ) {
    super(message);
  }
}

type Members = Readonly<Record<string, unknown>>;
type Way = readonly (string | number)[];

class Inspection {
  private claims = 0;

  schema(value: unknown): void {
    const members = plainObject(value, []);
    const isDraft =
      members.$schema === undefined || (typeof members.$schema === "string" && DRAFT.test(members.$schema));
    if (!isDraft) throw new Wrong(["$schema"], "Expected http://json-schema.org/draft-07/schema#");
    // Depth is checked before size: writing a very deep value as JSON would fail with another error.
    this.object(members, [], 1, ["$schema"]);
    const unsigned = (members.properties as Members)[UNSIGNED] as Members | undefined;
    if (unsigned && unsigned.type !== "object")
      throw new Wrong(["properties", UNSIGNED, "type"], 'Expected "object": it holds what visitors say of themselves');
    if (new TextEncoder().encode(JSON.stringify(value)).length > MAX_SCHEMA)
      throw new Wrong([], `Expected at most ${MAX_SCHEMA} bytes`);
  }

  private claim(value: unknown, way: Way, depth: number): void {
    if (++this.claims > MAX_CLAIMS) throw new Wrong(way, `Expected at most ${MAX_CLAIMS} claims`);
    const members = plainObject(value, way);
    if (members.type === "object") this.object(members, way, depth, []);
    else if (members.type === "array") this.array(members, way);
    else scalar(members, way, "Expected boolean, string, number, array or object");
  }

  private array(members: Members, way: Way): void {
    onlyMembers(members, ["type", "description", "items"], way);
    description(members, way);
    const at = [...way, "items"];
    scalar(plainObject(members.items, at), at, "Expected boolean, string or number");
  }

  private object(members: Members, way: Way, depth: number, more: readonly string[]): void {
    if (depth > MAX_CLAIM_DEPTH) throw new Wrong(way, `Expected objects at most ${MAX_CLAIM_DEPTH} deep`);
    onlyMembers(members, ["type", "description", "properties", "additionalProperties", ...more], way);
    if (members.type !== "object") throw new Wrong([...way, "type"], 'Expected "object"');
    description(members, way);
    if (members.additionalProperties !== false) throw new Wrong([...way, "additionalProperties"], "Expected false");
    const at = [...way, "properties"];
    for (const [name, claim] of Object.entries(plainObject(members.properties, at))) {
      claimName(name, [...at, name], depth);
      this.claim(claim, [...at, name], depth + 1);
    }
  }
}

function claimName(name: string, way: Way, depth: number): void {
  if (CLOSED.has(name) || name.length > MAX_NAME || !NAME.test(name) || name !== name.normalize("NFC"))
    throw new Wrong(way, `Expected a name of letters, digits, spaces and _ $ . : / @ -, at most ${MAX_NAME}`);
  if (depth === 1 && REGISTERED.has(name)) throw new Wrong(way, `${name} has a meaning of its own in every JWT`);
}

function scalar(members: Members, way: Way, expected: string): void {
  const { type } = members;
  if (type !== "boolean" && type !== "string" && type !== "number") throw new Wrong([...way, "type"], expected);
  onlyMembers(members, ["type", "description", ...(type === "string" ? ["enum"] : [])], way);
  description(members, way);
  if (members.enum !== undefined) values(members.enum, [...way, "enum"]);
}

function values(value: unknown, way: Way): void {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_VALUES)
    throw new Wrong(way, `Expected a list of 1 to ${MAX_VALUES} texts`);
  const seen = new Set<unknown>();
  for (const [i, one] of value.entries()) {
    if (typeof one !== "string" || one === "" || one.length > MAX_VALUE || UNPRINTABLE.test(one))
      throw new Wrong([...way, i], `Expected text on one line, of 1 to ${MAX_VALUE} characters`);
    if (seen.has(one)) throw new Wrong([...way, i], "Expected each value once");
    seen.add(one);
  }
}

function description(members: Members, way: Way): void {
  const { description } = members;
  if (description === undefined) return;
  if (typeof description !== "string" || description.length > MAX_DESCRIPTION)
    throw new Wrong([...way, "description"], `Expected text of at most ${MAX_DESCRIPTION} characters`);
}

function onlyMembers(members: Members, known: readonly string[], way: Way): void {
  const unknown = Object.keys(members).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Wrong([...way, unknown], `Expected only ${known.join(", ")} here`);
}

function plainObject(value: unknown, way: Way): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Wrong(way, "Expected an object");
  return value as Members;
}

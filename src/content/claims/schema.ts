// The schema of a site's visitors: a JSON Schema (draft-07) in one narrow form. It has no references, computations or patterns, so checking
// a visitor against it is a walk over plain data, bounded in depth and size.

import { getJsonSize } from "../../utils/bytes";
import { FORBIDDEN_NAMES } from "../../utils/objects";
/** A claim with a single value. */
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

/** The schema of a site's visitors. `properties.unsigned` has the claims that they make about themselves. */
export type ClaimsSchema = ObjectClaim & { readonly $schema?: string };

/** The most claims of all levels together, including objects. */
export const MAX_CLAIMS = 100;
/** The deepest nesting of objects, including the schema itself. */
export const MAX_CLAIM_DEPTH = 5;
export const MAX_CLAIM_NAME_LENGTH = 64;
export const MAX_CLAIM_DESCRIPTION_LENGTH = 256;
export const MAX_CLAIM_VALUES = 50;
export const MAX_CLAIM_VALUE_LENGTH = 100;
/** The most bytes of a schema's JSON. */
export const MAX_CLAIMS_SCHEMA_BYTES = 32_768;

const DRAFT = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
/** No quote, backslash or control character: every name can be written in a condition as it is. */
const CLAIM_NAME = /^[\p{L}\p{N}_$][\p{L}\p{N}_$ .:/@-]*$/u;
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** Claims that have a meaning in every JWT. None of them is a claim of a visitor. */
export const REGISTERED_CLAIMS: ReadonlySet<string> = new Set(["exp", "iat", "nbf", "iss", "sub", "aud", "jti"]);
/** The member that has the claims that visitors make about themselves. */
export const UNSIGNED_CLAIM = "unsigned";

/** Returns the first problem of a schema, or undefined if it is a valid `ClaimsSchema`. */
export function findSchemaIssue(value: unknown) {
  try {
    new SchemaChecker().checkSchema(value);
    return undefined;
  } catch (error) {
    if (error instanceof SchemaIssueError) return { path: error.path, message: error.message };
    throw error;
  }
}

class SchemaIssueError extends Error {
  constructor(
    readonly path: readonly (string | number)[],
    message: string,
  ) {
    super(message);
  }
}

type ClaimMembers = Readonly<Record<string, unknown>>;
type MemberPath = readonly (string | number)[];

class SchemaChecker {
  private claims = 0;

  checkSchema(value: unknown): void {
    const members = checkIsObject(value, []);
    const isDraft =
      members.$schema === undefined || (typeof members.$schema === "string" && DRAFT.test(members.$schema));
    if (!isDraft) throw new SchemaIssueError(["$schema"], "Expected http://json-schema.org/draft-07/schema#");
    // The depth is checked before the size, because serializing a very deep value would fail with another error.
    this.checkObject(members, [], 1, ["$schema"]);
    const unsigned = (members.properties as ClaimMembers)[UNSIGNED_CLAIM] as ClaimMembers | undefined;
    if (unsigned && unsigned.type !== "object")
      throw new SchemaIssueError(
        ["properties", UNSIGNED_CLAIM, "type"],
        'Expected "object": it holds what visitors say of themselves',
      );
    if (getJsonSize(value) > MAX_CLAIMS_SCHEMA_BYTES)
      throw new SchemaIssueError([], `Expected at most ${MAX_CLAIMS_SCHEMA_BYTES} bytes`);
  }

  private checkClaim(value: unknown, path: MemberPath, depth: number): void {
    if (++this.claims > MAX_CLAIMS) throw new SchemaIssueError(path, `Expected at most ${MAX_CLAIMS} claims`);
    const members = checkIsObject(value, path);
    if (members.type === "object") this.checkObject(members, path, depth, []);
    else if (members.type === "array") {
      checkMemberNames(members, ["type", "description", "items"], path);
      checkDescription(members, path);
      const itemsPath = [...path, "items"];
      checkScalar(checkIsObject(members.items, itemsPath), itemsPath, "Expected boolean, string or number");
    } else checkScalar(members, path, "Expected boolean, string, number, array or object");
  }

  private checkObject(members: ClaimMembers, path: MemberPath, depth: number, furtherNames: readonly string[]): void {
    if (depth > MAX_CLAIM_DEPTH) throw new SchemaIssueError(path, `Expected objects at most ${MAX_CLAIM_DEPTH} deep`);
    checkMemberNames(members, ["type", "description", "properties", "additionalProperties", ...furtherNames], path);
    if (members.type !== "object") throw new SchemaIssueError([...path, "type"], 'Expected "object"');
    checkDescription(members, path);
    if (members.additionalProperties !== false)
      throw new SchemaIssueError([...path, "additionalProperties"], "Expected false");
    const propertiesPath = [...path, "properties"];
    for (const [name, claim] of Object.entries(checkIsObject(members.properties, propertiesPath))) {
      const claimPath = [...propertiesPath, name];
      const isValidName =
        !FORBIDDEN_NAMES.has(name) &&
        name.length <= MAX_CLAIM_NAME_LENGTH &&
        CLAIM_NAME.test(name) &&
        name === name.normalize("NFC");
      if (!isValidName)
        throw new SchemaIssueError(
          claimPath,
          `Expected a name of letters, digits, spaces and _ $ . : / @ -, at most ${MAX_CLAIM_NAME_LENGTH}`,
        );
      if (depth === 1 && REGISTERED_CLAIMS.has(name))
        throw new SchemaIssueError(claimPath, `${name} has a meaning of its own in every JWT`);
      this.checkClaim(claim, claimPath, depth + 1);
    }
  }
}

function checkScalar(members: ClaimMembers, path: MemberPath, expected: string): void {
  const { type } = members;
  if (type !== "boolean" && type !== "string" && type !== "number")
    throw new SchemaIssueError([...path, "type"], expected);
  const names = ["type", "description"];
  if (type === "string") names.push("enum");
  checkMemberNames(members, names, path);
  checkDescription(members, path);

  const values = members.enum;
  if (values === undefined) return;
  const enumPath = [...path, "enum"];
  if (!Array.isArray(values) || values.length === 0 || values.length > MAX_CLAIM_VALUES)
    throw new SchemaIssueError(enumPath, `Expected a list of 1 to ${MAX_CLAIM_VALUES} texts`);
  const seen = new Set<unknown>();
  for (const [i, value] of values.entries()) {
    if (typeof value !== "string" || value === "" || value.length > MAX_CLAIM_VALUE_LENGTH || UNPRINTABLE.test(value))
      throw new SchemaIssueError(
        [...enumPath, i],
        `Expected text on one line, of 1 to ${MAX_CLAIM_VALUE_LENGTH} characters`,
      );
    if (seen.has(value)) throw new SchemaIssueError([...enumPath, i], "Expected each value once");
    seen.add(value);
  }
}

function checkDescription({ description }: ClaimMembers, path: MemberPath): void {
  if (description === undefined) return;
  if (typeof description !== "string" || description.length > MAX_CLAIM_DESCRIPTION_LENGTH)
    throw new SchemaIssueError(
      [...path, "description"],
      `Expected text of at most ${MAX_CLAIM_DESCRIPTION_LENGTH} characters`,
    );
}

function checkMemberNames(members: ClaimMembers, names: readonly string[], path: MemberPath): void {
  const unknown = Object.keys(members).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new SchemaIssueError([...path, unknown], `Expected only ${names.join(", ")} here`);
}

function checkIsObject(value: unknown, path: MemberPath): ClaimMembers {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new SchemaIssueError(path, "Expected an object");
  return value as ClaimMembers;
}

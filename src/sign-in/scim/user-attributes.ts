// What a company's directory says of a person, read from the forms in which the large providers write it.

import * as v from "valibot";
import { Email, foldText, type Role, roles } from "../../operation/common-schemas";
import { ScimError } from "./answers";
import { type Attributes, isObject, knownBy, memberIn } from "./changes";

/** The attributes that are kept of a user. */
export const userAttributes = ["userName", "externalId", "active", "displayName", "name", "emails", "roles"] as const;

/** A person as the directory wants them to be. */
export interface Wanted {
  readonly userName: string;
  readonly externalId: string | null;
  readonly isActive: boolean;
  readonly displayName: string;
  readonly givenName: string | undefined;
  readonly familyName: string | undefined;
  readonly email: string;
  /** The kind of the address, such as `jobs`; undefined: not said. */
  readonly emailType: string | undefined;
  /** Undefined: as it is, or the default of the organization. */
  readonly role: Role | null | undefined;
}

export function wantedIn(given: unknown): Wanted {
  if (!isObject(given)) throw new ScimError(400, "Expected a user as an object.", "invalidSyntax");
  const userName = textIn(given, "userName");
  if (userName === undefined) throw new ScimError(400, "A user needs a `userName`.", "invalidValue");
  const { email = userName, emailType } = emailIn(given);
  if (!v.is(Email, email))
    throw new ScimError(400, "A user needs an e-mail address, in `emails` or as `userName`.", "invalidValue");
  const name = memberIn(given, "name");
  const [givenName, familyName, formatted] = ["givenName", "familyName", "formatted"].map((part) =>
    isObject(name) ? textIn(name, part) : undefined,
  );
  const both = [givenName, familyName].filter((part) => part !== undefined).join(" ");
  const displayName = textIn(given, "displayName") ?? (both || formatted) ?? email.split("@")[0]!;
  return {
    userName,
    externalId: textIn(given, "externalId") ?? null,
    isActive: flagIn(given, "active") ?? true,
    displayName: [...displayName].slice(0, 64).join(""),
    givenName,
    familyName,
    email,
    emailType,
    role: roleIn(given),
  };
}

const LONGEST = 255;

/** A text that is not empty; undefined where there is none. */
export function textIn(given: Attributes, name: string): string | undefined {
  const value = memberIn(given, name);
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string" && value.length <= LONGEST && !/\p{Surrogate}/u.test(value) && value.trim() !== "")
    return value.trim();
  throw new ScimError(400, `\`${name}\` must be a text of at most ${LONGEST} characters.`, "invalidValue");
}

/** True or false. Some providers write them as texts, with a capital letter. */
function flagIn(given: Attributes, name: string): boolean | undefined {
  const value = memberIn(given, name);
  if (value === undefined || value === null) return undefined;
  const flag = String(value).toLowerCase();
  if (flag !== "true" && flag !== "false")
    throw new ScimError(400, `\`${name}\` must be true or false.`, "invalidValue");
  return flag === "true";
}

/** The primary address, else that of work, else the first. */
function emailIn(given: Attributes): { readonly email?: string | undefined; readonly emailType?: string | undefined } {
  const value = memberIn(given, "emails");
  const emails = (Array.isArray(value) ? value : []).filter(isObject);
  const primary = emails.find((it) => flagIn(it, "primary") === true);
  const work = emails.find((it) => foldText(textIn(it, "type") ?? "") === "work");
  const chosen = primary ?? work ?? emails[0];
  return chosen ? { email: textIn(chosen, "value"), emailType: textIn(chosen, "type") } : {};
}

/** The highest of the roles that we know by name. */
function roleIn(given: Attributes): Role | null | undefined {
  const value = memberIn(given, "roles");
  const named = (Array.isArray(value) ? value : []).map((it) => foldText(String(knownBy(it) ?? "")));
  const role = roles.findLast((it) => named.includes(it));
  return role ?? (named.includes("guest") ? null : undefined);
}

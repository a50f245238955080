// Reads a user from a request, in the forms that the large directories send.

import * as v from "valibot";
import { Email, foldText, type Role, roles } from "../../operation/common-schemas";
import { isJsonObject } from "../../utils/objects";
import { getElementValue, getScimAttribute, type ScimAttributes } from "./patch";
import { ScimError } from "./protocol";

export const userAttributes = ["userName", "externalId", "active", "displayName", "name", "emails", "roles"] as const;

export interface ScimUserInput {
  readonly userName: string;
  readonly externalId: string | null;
  readonly isActive: boolean;
  readonly displayName: string;
  readonly givenName: string | undefined;
  readonly familyName: string | undefined;
  readonly email: string;
  /** The type of the e-mail address, such as `work`. */
  readonly emailType: string | undefined;
  /** Undefined keeps the current role. New members get the default of the organization. */
  readonly role: Role | null | undefined;
}

export function parseScimUser(body: unknown): ScimUserInput {
  if (!isJsonObject(body)) throw new ScimError(400, "Expected a user as an object.", "invalidSyntax");
  const userName = readTextAttribute(body, "userName");
  if (userName === undefined) throw new ScimError(400, "A user needs a `userName`.", "invalidValue");
  // The primary address counts, else that of type `work`, else the first.
  const emails = readListAttribute(body, "emails").filter(isJsonObject);
  const primary = emails.find((it) => readBooleanAttribute(it, "primary") === true);
  const work = emails.find((it) => foldText(readTextAttribute(it, "type") ?? "") === "work");
  const chosen = primary ?? work ?? emails[0] ?? {};
  const email = readTextAttribute(chosen, "value") ?? userName;
  const emailType = readTextAttribute(chosen, "type");
  if (!v.is(Email, email))
    throw new ScimError(400, "A user needs an e-mail address, in `emails` or as `userName`.", "invalidValue");
  const name = getScimAttribute(body, "name");
  const [givenName, familyName, formatted] = ["givenName", "familyName", "formatted"].map((part) =>
    isJsonObject(name) ? readTextAttribute(name, part) : undefined,
  );
  const fullName = [givenName, familyName].filter((part) => part !== undefined).join(" ");
  const displayName = readTextAttribute(body, "displayName") ?? (fullName || formatted) ?? email.split("@")[0]!;

  // The highest known role counts. A guest has none.
  const roleNames = readListAttribute(body, "roles").map((it) => foldText(String(getElementValue(it) ?? "")));
  const role = roles.findLast((it) => roleNames.includes(it)) ?? (roleNames.includes("guest") ? null : undefined);
  return {
    userName,
    externalId: readTextAttribute(body, "externalId") ?? null,
    isActive: readBooleanAttribute(body, "active") ?? true,
    displayName: [...displayName].slice(0, 64).join(""),
    givenName,
    familyName,
    email,
    emailType,
    role,
  };
}

const MAX_TEXT_LENGTH = 255;

/** Reads a text. Returns undefined if it's absent or empty. */
export function readTextAttribute(attributes: ScimAttributes, name: string): string | undefined {
  const value = getScimAttribute(attributes, name);
  if (value === undefined || value === null || value === "") return undefined;
  if (
    typeof value === "string" &&
    value.length <= MAX_TEXT_LENGTH &&
    !/\p{Surrogate}/u.test(value) &&
    value.trim() !== ""
  )
    return value.trim();
  throw new ScimError(400, `\`${name}\` must be a text of at most ${MAX_TEXT_LENGTH} characters.`, "invalidValue");
}

/** Reads a boolean. Some directories send booleans as texts with a capital letter. */
function readBooleanAttribute(attributes: ScimAttributes, name: string): boolean | undefined {
  const value = getScimAttribute(attributes, name);
  if (value === undefined || value === null) return undefined;
  const text = String(value).toLowerCase();
  if (text !== "true" && text !== "false")
    throw new ScimError(400, `\`${name}\` must be true or false.`, "invalidValue");
  return text === "true";
}

function readListAttribute(attributes: ScimAttributes, name: string): readonly unknown[] {
  const value = getScimAttribute(attributes, name);
  return Array.isArray(value) ? value : [];
}

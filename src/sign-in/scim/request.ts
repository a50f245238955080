// A request of a company's directory, once its token is known.

import type { AuditedChange, RequestSource } from "../../audit/event";
import { recordAuditEvent } from "../../resources/people/audit/record-event";
import type { OrganizationRecord } from "../../resources/people/organizations/records";
import type { Place } from "../../storage/ids";
import type { Transaction } from "../../storage/transaction";
import type { SignInContext } from "../parts";
import { toShortName } from "./filter";

export interface ScimRequest {
  readonly house: SignInContext;
  readonly organization: OrganizationRecord;
  readonly place: Place;
  /** The id of the token. */
  readonly token: string;
  readonly from: RequestSource;
  /** The id in the path, where there is one. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** The body of a POST, PUT or PATCH. */
  readonly body: unknown;
}

/** The URL of a resource. */
export function locationOf({ house, organization }: Pick<ScimRequest, "house" | "organization">, path: string): string {
  return house.urlOf(`/scim/v2/${organization.id}/${path}`);
}

/** The attributes that every answer has. */
const ALWAYS = ["schemas", "id", "meta"];

/** The attributes that a parameter of the query names, in lower case: `name`, or a part of one, such as `name.givenname`. */
function readNames(query: URLSearchParams, parameter: "attributes" | "excludedAttributes"): string[] {
  return (query.get(parameter) ?? "")
    .split(/[\s,]+/)
    .filter((name) => name !== "")
    .map((name) => toShortName(name).toLowerCase());
}

/** Whether an attribute, or a part of it, is wanted in the answer. */
export function isWanted({ query }: Pick<ScimRequest, "query">, attribute: string): boolean {
  if (ALWAYS.includes(attribute)) return true;
  const name = attribute.toLowerCase();
  const wanted = readNames(query, "attributes");
  const isNamed = wanted.length === 0 || wanted.some((it) => it === name || it.startsWith(`${name}.`));
  return isNamed && !readNames(query, "excludedAttributes").includes(name);
}

/** A resource with the attributes that are wanted, and of each the parts that are. */
export function wantedOf(request: Pick<ScimRequest, "query">, resource: object): object {
  const wanted = readNames(request.query, "attributes");
  const excluded = readNames(request.query, "excludedAttributes");
  const shown: Record<string, unknown> = {};
  for (const [attribute, value] of Object.entries(resource)) {
    if (!isWanted(request, attribute)) continue;
    const name = attribute.toLowerCase();
    const isWhole = wanted.length === 0 || wanted.includes(name);
    const isPartWanted = (part: string) => {
      const path = `${name}.${part.toLowerCase()}`;
      return (isWhole || wanted.includes(path)) && !excluded.includes(path);
    };
    const part = ALWAYS.includes(attribute) ? value : pickParts(value, isPartWanted);
    if (part !== undefined) shown[attribute] = part;
  }
  return shown;
}

/** The wanted parts of a value, or of each value of a list; undefined for an object of which none is left. */
function pickParts(value: unknown, isWantedPart: (part: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((it) => pickParts(it, isWantedPart)).filter((it) => it !== undefined);
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.entries(value).filter(([part]) => isWantedPart(part));
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

/** Notes in the audit log what the directory did to a member or a team, in the commit that does it. */
export function noteChange(
  { house, place, token, from }: ScimRequest,
  tx: Transaction,
  action: `${"member" | "team"}${"Provisioned" | "Deprovisioned"}`,
  thing: { readonly type: "user" | "team"; readonly id: string },
  changes: readonly AuditedChange[] = [],
): void {
  const credential = { type: "scim-token", id: token };
  recordAuditEvent(house.kernel.jobs, tx, place, {
    action,
    actor: { type: "system" },
    credential,
    from,
    things: [thing],
    changes,
  });
}

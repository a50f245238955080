// A request of a company's directory, once its token is known.

import type { AuditedChange, RequestSource } from "../../audit/event";
import { audit } from "../../resources/people/audit/note";
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

/** Whether an attribute is wanted in the answer. */
export function isWanted({ query }: Pick<ScimRequest, "query">, attribute: string): boolean {
  if (ALWAYS.includes(attribute)) return true;
  const named = (parameter: string) =>
    (query.get(parameter) ?? "")
      .split(/[\s,]+/)
      .filter((name) => name !== "")
      .map((name) => toShortName(name).toLowerCase());
  const wanted = named("attributes");
  const isNamed = (names: readonly string[]) => names.some((name) => name.split(".")[0] === attribute.toLowerCase());
  return (wanted.length === 0 || isNamed(wanted)) && !named("excludedAttributes").includes(attribute.toLowerCase());
}

/** A resource with the attributes that are wanted. */
export function wantedOf(request: Pick<ScimRequest, "query">, resource: object): object {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isWanted(request, name)));
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
  audit(house.kernel.jobs, tx, place, {
    action,
    actor: { type: "system" },
    credential,
    from,
    things: [thing],
    changes,
  });
}

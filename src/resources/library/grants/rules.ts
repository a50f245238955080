// A single grant as a target.

import { createError } from "../../../errors";
import type { Target } from "../../../operation/target";
import type { GranteeKind } from "../../people/members/grants-extension";
import { type GrantRecord, grants } from "./records";

/** A grant, below the thing that it is on. */
export interface InGrant {
  readonly grant: GrantRecord;
}

/** The grant of a user or a team on a thing. Whoever manages the thing manages its grants. */
export function grantOn<Above extends object>(
  above: Target<Above, "admin">,
  idOf: (found: Above) => string,
  kind: GranteeKind,
): Target<Above & InGrant, "admin"> {
  return {
    findPartition: above.findPartition,
    async load(scope) {
      const found = await above.load(scope);
      if (!found || !above.rights.view(found)) throw createError(above.notFoundReason);
      const grantee = kind === "user" ? scope.params.userId! : scope.params.teamId!;
      const grant = await grants.get(scope.tx, idOf(found), kind, grantee);
      return grant && { ...found, grant };
    },
    notFoundReason: "grant_not_found",
    rights: { view: above.rights.view, admin: above.rights.admin },
  };
}

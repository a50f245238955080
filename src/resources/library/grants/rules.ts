// A single grant as a target.

import { createError } from "../../../errors";
import type { Target } from "../../../operation/target";
import type { GranteeKind } from "../../people/members/grants-extension";
import { type GrantRecord, grants } from "./records";

/** A grant on a space, a collection or a site. */
export interface GrantContext {
  readonly grant: GrantRecord;
}

/** Creates the target for the grant of a user or a team on `above`. Whoever manages `above` manages its grants. */
export function createGrantTarget<Above extends object>(
  above: Target<Above, "admin">,
  getId: (found: Above) => string,
  kind: GranteeKind,
): Target<Above & GrantContext, "admin"> {
  return {
    findPartition: above.findPartition,
    async load(scope) {
      const found = await above.load(scope);
      if (!found || !above.rights.view(found)) throw createError(above.notFoundReason);
      const grantee = kind === "user" ? scope.params.userId! : scope.params.teamId!;
      const grant = await grants.get(scope.tx, getId(found), kind, grantee);
      return grant && { ...found, grant };
    },
    notFoundReason: "grant_not_found",
    rights: { view: above.rights.view, admin: above.rights.admin },
  };
}

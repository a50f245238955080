// The targets of operations on the counts of a site. Rights and content are read from the partition of the organization, and the
// transaction of the operation is on the partition of the counts.

import type { Target, TargetContext } from "../../../operation/target";
import type { Reader } from "../../../storage/transaction";
import { findOrganizationPartition } from "../../people/organizations/records";
import { site, visibleSite } from "../rules";
import { findInsightsPartition } from "./counts";

/** A reader of the organization, beside the transaction on the counts. */
export interface OrganizationReaderContext {
  /** The organization's partition, as it was when the target was loaded. */
  readonly organizationTx: Reader;
}

export function defineCountedTarget<Loaded extends object, Right extends string>(
  target: Target<Loaded, Right>,
): Target<Loaded & OrganizationReaderContext, Right> {
  return {
    ...target,
    findPartition: ({ organizationId }) => findInsightsPartition(organizationId!),
    async load(scope) {
      const home = await scope.peek(findOrganizationPartition(scope.params.organizationId!)!);
      // The body of the scope is checked when it is accessed, so the scope isn't copied.
      const homeScope = Object.create(scope, {
        tx: { value: home },
        objects: { get: () => scope.objects.at(home) },
      }) as TargetContext;
      const loaded = await target.load(homeScope);
      return loaded && { ...loaded, organizationTx: home };
    },
  } as Target<Loaded & OrganizationReaderContext, Right>;
}

export const countedSite = defineCountedTarget(site);
/** A site, for everybody who may see it. */
export const countedVisibleSite = defineCountedTarget(visibleSite);

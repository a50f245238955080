// A site whose events are counted. Rights and content are read from the organization's partition, and the transaction
// of the operation is on the partition of the counts.

import type { Target, TargetContext } from "../../../operation/target";
import type { Reader } from "../../../storage/transaction";
import { findOrganizationPartition } from "../../people/organizations/records";
import { site, visibleSite } from "../rules";
import { findInsightsPartition } from "./counts";

/** What is read of the organization meanwhile. */
export interface OrganizationReaderContext {
  /** The organization's partition, as it was when the target was loaded. */
  readonly organizationTx: Reader;
}

/** A target of sites, for an operation that counts. */
export function defineCountedTarget<Loaded extends object, Right extends string>(
  target: Target<Loaded, Right>,
): Target<Loaded & OrganizationReaderContext, Right> {
  return {
    ...target,
    findPartition: ({ organizationId }) => findInsightsPartition(organizationId!),
    async load(scope) {
      const home = await scope.peek(findOrganizationPartition(scope.params.organizationId!)!);
      const loaded = await target.load(readingFrom(scope, home));
      return loaded && { ...loaded, organizationTx: home };
    },
  } as Target<Loaded & OrganizationReaderContext, Right>;
}

/** The same scope in another partition. Its body is checked when it is asked for, so it is not copied. */
function readingFrom(scope: TargetContext, tx: Reader): TargetContext {
  return Object.create(scope, { tx: { value: tx }, objects: { get: () => scope.objects.at(tx) } }) as TargetContext;
}

/** For those who may edit the site. */
export const countedSite = defineCountedTarget(site);
/** For everybody who may see the site. */
export const countedVisibleSite = defineCountedTarget(visibleSite);

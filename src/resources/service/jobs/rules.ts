// Target and rights of jobs. Only admins of the organization see them, because they could have caused any of them.

import { type Job, jobKeys } from "../../../jobs/jobs";
import type { Target } from "../../../operation/target";
import { loadParentOrganization, type OrganizationContext, organization } from "../../people/organizations/rules";

/** A job of the organization that failed too often and was parked. */
export const job: Target<OrganizationContext & { readonly job: Job }, "admin"> = {
  findPartition: organization.findPartition,
  async load(scope) {
    const above = await loadParentOrganization(scope);
    const found = (await scope.tx.get(jobKeys.parked(scope.params.jobId!))) as Job | undefined;
    return found && { ...above, job: found };
  },
  notFoundReason: "job_not_found",
  rights: { view: organization.rights.admin, admin: organization.rights.admin },
};

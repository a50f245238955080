// Who may see the jobs of an organization: its admins, who could have caused any of them.

import { getParkedJob, type Job } from "../../../jobs/jobs";
import type { Target } from "../../../operation/target";
import { type InOrganization, organization, organizationAbove } from "../../people/organizations/rules";

/** A job of the organization that was given up. */
export const job: Target<InOrganization & { readonly job: Job }, "admin"> = {
  findPartition: organization.findPartition,
  async load(scope) {
    const above = await organizationAbove(scope);
    const found = await getParkedJob(scope.tx, scope.params.jobId!);
    return found && { ...above, job: found };
  },
  notFoundReason: "job_not_found",
  rights: { view: organization.rights.admin, admin: organization.rights.admin },
};

// Target and rights of jobs. Only admins of the organization see them, because they could have caused any of them.

import { type Job, jobKeys } from "../../../jobs/jobs";
import { adminRights, defineOrganizationTarget } from "../../people/organizations/rules";

/** A job of the organization that failed too often and was parked. */
export const job = defineOrganizationTarget(
  "job_not_found",
  async ({ tx, params }) => {
    const job = (await tx.get(jobKeys.parked(params.jobId!))) as Job | undefined;
    return job && { job };
  },
  adminRights,
);

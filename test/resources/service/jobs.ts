// Jobs as stories.

import { parkJob } from "../../invariants/examples";
import type { Story } from "../scenario";

export const stories: Story[] = [
  {
    title: "a job that was given up is shown to admins, and can start anew",
    before: parkJob,
    scenes: [
      { as: "admin", ask: "GET /v1/orgs/{org}/jobs", expect: 200, see: { count: 0, items: [] } },
      {
        as: "admin",
        ask: "GET /v1/orgs/{org}/jobs?status=parked",
        expect: 200,
        see: {
          count: 1,
          items: [
            {
              object: "job",
              id: "{parkedJob}",
              status: "parked",
              attempts: 12,
              error: "The directory was away.",
              dueAt: undefined,
            },
          ],
        },
      },
      {
        as: "admin",
        ask: "POST /v1/orgs/{org}/jobs/{parkedJob}/retry",
        expect: 200,
        see: { id: "{parkedJob}", status: "waiting", attempts: 0, error: undefined },
      },
      {
        as: "admin",
        ask: "GET /v1/orgs/{org}/jobs?status=waiting&limit=1",
        expect: 200,
        see: { count: 1, items: [{ id: "{parkedJob}", step: "sync-membership" }], next: undefined },
      },
      { as: "admin", ask: "POST /v1/orgs/{org}/jobs/{parkedJob}/retry", expect: 404, reason: "job_not_found" },
      { as: "create", ask: "GET /v1/orgs/{org}/jobs", expect: 403, reason: "forbidden" },
      { as: "create", ask: "POST /v1/orgs/{org}/jobs/{parkedJob}/retry", expect: 404, reason: "job_not_found" },
      { as: "rival", ask: "GET /v1/orgs/{org}/jobs", expect: 404, reason: "organization_not_found" },
      {
        as: "admin",
        ask: "GET /v1/orgs/{org}/jobs?status=done",
        expect: 400,
        see: { error: { issues: [{ path: "query.status" }] } },
      },
    ],
  },
];

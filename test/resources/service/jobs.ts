// Jobs as stories.

import { parkJobs } from "../../invariants/examples";
import { ask, defineStory, get, list, refuse, type Story } from "../scenario";

export const stories: Story[] = [
  defineStory(
    "a job that was given up is shown to admins, and can start anew",
    { before: async (setting) => ({ parkedJob: (await parkJobs(setting, 1))[0]! }) },
    [
      list("admin", "/v1/orgs/{org}/jobs", []),
      list("admin", "/v1/orgs/{org}/jobs?status=parked", [
        {
          object: "job",
          id: "{parkedJob}",
          status: "parked",
          attempts: 12,
          error: "The directory was away.",
          dueAt: undefined,
        },
      ]),
      ask("admin", "POST /v1/orgs/{org}/jobs/{parkedJob}/retry", 200, {
        see: { id: "{parkedJob}", status: "waiting", attempts: 0, error: undefined },
      }),
      get("admin", "/v1/orgs/{org}/jobs?status=waiting&limit=1", {
        count: 1,
        items: [{ id: "{parkedJob}", step: "sync-membership" }],
        next: undefined,
      }),
      ask("admin", "POST /v1/orgs/{org}/jobs/{parkedJob}/retry", "404 job_not_found"),
      refuse("admin", "GET /v1/orgs/{org}/jobs?status=done", "query.status"),
    ],
  ),
];

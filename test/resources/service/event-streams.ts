// Streams of events as stories. `test/resources/service/event-streams.test.ts` reads streams that stay open.

import type { Story } from "../scenario";

export const stories: Story[] = [
  {
    title: "a stream of events is for members; one of no seconds ends at once",
    scenes: [
      { as: "guest", ask: "GET /v1/orgs/{org}/events?seconds=0", expect: 200 },
      { as: "rival", ask: "GET /v1/orgs/{org}/events?seconds=0", expect: 404, reason: "organization_not_found" },
      {
        as: "read",
        ask: "GET /v1/orgs/{org}/events?seconds=3601",
        expect: 400,
        see: { error: { issues: [{ path: "query.seconds" }] } },
      },
    ],
  },
];

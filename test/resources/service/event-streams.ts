// Streams of events as stories. `test/resources/service/event-streams.test.ts` reads streams that stay open.

import { defineStory, get, refuse, type Story } from "../scenario";

export const stories: Story[] = [
  defineStory("a stream of events is for members; one of no seconds ends at once", [
    get("guest", "/v1/orgs/{org}/events?seconds=0"),
    refuse("read", "GET /v1/orgs/{org}/events?seconds=3601", "query.seconds"),
  ]),
];

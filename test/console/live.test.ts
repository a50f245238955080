// Which answers are asked for again when the server tells of something.

import { describe, expect, test } from "vitest";
import { isAffected } from "../../src/console/app/live/is-affected";
import type { ChangedEvent } from "../../src/events/streamed-event";

const changed = (things: ChangedEvent["things"], more: Partial<ChangedEvent> = {}): ChangedEvent => ({
  type: "changed",
  id: "1",
  at: "2026-01-01T00:00:00.000Z",
  action: "changeContent",
  by: { type: "user", id: "usr_1" },
  things,
  made: [],
  ...more,
});

describe("events", () => {
  const content = { space: "spc_1", changeRequest: "chr_1", revision: "rev_1", pages: ["pag_1"] };
  const event = changed([{ type: "space", id: "spc_1" }], { content });

  test("an event concerns the resource it names and the lists that contain it", () => {
    expect(isAffected(event, { spaceId: "spc_1" })).toBe(true);
    expect(isAffected(event, { organizationId: "org_1" })).toBe(true);
    expect(isAffected(event, { spaceId: "spc_1", pageId: "pag_2" })).toBe(true);
    expect(isAffected(event, { spaceId: "spc_1", changeRequestId: "7" })).toBe(true);
    expect(isAffected(event, { siteId: "sit_1" })).toBe(true);
  });

  test("an event concerns no other resource of the same kind and nothing outside its organization", () => {
    expect(isAffected(event, { spaceId: "spc_2" })).toBe(false);
    expect(isAffected(event, { spaceId: "spc_1", changeRequestId: "chr_2" })).toBe(false);
    expect(isAffected(event, {})).toBe(false);
    const spec = changed([{ type: "open-api-spec", id: "pets" }]);
    expect(isAffected(spec, { organizationId: "org_1", specSlug: "pets" })).toBe(true);
    expect(isAffected(spec, { organizationId: "org_1", specSlug: "cats" })).toBe(false);
  });

  test("a reset concerns everything, and the end of the stream concerns nothing", () => {
    expect(isAffected({ type: "reset" }, {})).toBe(true);
    expect(isAffected({ type: "end", reason: "time" }, { spaceId: "spc_1" })).toBe(false);
  });
});

// Sessions as stories. They begin in a browser, so each story begins some by hand.

import { createSignIn } from "octavo/sign-in";
import { DAY, type Person, type Setting } from "../../support/setting";
import type { Story } from "../scenario";

/** Signs people in, and gives their cookies by the names that are kept. */
const signedIn =
  (names: Readonly<Record<string, Person>>) =>
  async ({ api, ids }: Setting): Promise<Record<string, string>> => {
    const signIn = createSignIn(api);
    const cookies: Record<string, string> = {};
    for (const [name, person] of Object.entries(names)) {
      const headers = { origin: "http://localhost:3000", "user-agent": `Browser ${name}` };
      const answer = await signIn.fetch(
        new Request(await signIn.createSignInLink(ids[person]), { method: "POST", headers }),
      );
      cookies[name] = answer.headers.getSetCookie()[0]!.split(";")[0]!;
    }
    return cookies;
  };

const here = { origin: "http://localhost:3000" };

export const stories: Story[] = [
  {
    title: "sessions are listed with the one that asks, and ended one by one or all at once",
    before: signedIn({ laptop: "edit", phone: "edit", other: "read" }),
    scenes: [
      {
        as: null,
        ask: "GET /v1/user/sessions",
        headers: { cookie: "{phone}" },
        expect: 200,
        see: {
          count: 2,
          items: [
            { object: "session", by: "link", current: false, userAgent: "Browser laptop" },
            { current: true, userAgent: "Browser phone" },
          ],
        },
        keep: { first: "items.0.id", second: "items.1.id" },
      },
      { as: "edit", ask: "GET /v1/user/sessions?limit=1", expect: 200, see: { count: 2, items: [{ current: false }] } },
      { as: "admin", ask: "GET /v1/user/sessions", expect: 200, see: { count: 0, items: [] } },
      { as: null, ask: "GET /v1/user/sessions", expect: 401, reason: "unauthorized" },
      { as: "read", ask: "DELETE /v1/user/sessions/{first}", expect: 204 },
      { as: null, ask: "GET /v1/user", headers: { cookie: "{laptop}" }, expect: 200, see: { id: "{edit}" } },
      {
        as: null,
        ask: "DELETE /v1/user/sessions/{first}",
        headers: { cookie: "{phone}" },
        expect: 403,
        reason: "cross_site",
      },
      { as: null, ask: "DELETE /v1/user/sessions/{first}", headers: { cookie: "{phone}", ...here }, expect: 204 },
      { as: null, ask: "GET /v1/user", headers: { cookie: "{laptop}" }, expect: 401 },
      { as: null, ask: "DELETE /v1/user/sessions/{second}", expect: 401 },
      { as: null, ask: "DELETE /v1/user/sessions", expect: 401 },
      { as: null, ask: "DELETE /v1/user/sessions", headers: { cookie: "{phone}", ...here }, expect: 204 },
      { as: null, ask: "GET /v1/user", headers: { cookie: "{phone}" }, expect: 401 },
      { as: null, ask: "GET /v1/user", headers: { cookie: "{other}" }, expect: 200, see: { id: "{read}" } },
      { as: "edit", ask: "GET /v1/user", expect: 200 },
    ],
  },
  {
    title: "a session that is not used ends",
    before: signedIn({ laptop: "edit" }),
    scenes: [
      { as: null, ask: "GET /v1/user", headers: { cookie: "{laptop}" }, expect: 200, after: 13 * DAY },
      { as: null, ask: "GET /v1/user", headers: { cookie: "{laptop}" }, expect: 401, after: 15 * DAY },
      { as: "edit", ask: "DELETE /v1/user/sessions/ses_none", expect: 204 },
    ],
  },
];

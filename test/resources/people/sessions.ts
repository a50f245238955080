// Sessions as stories. They begin in a browser, so each story begins some by hand.

import { createSignIn } from "octavo/sign-in";
import { DAY, type Person, type Setting } from "../../support/setting";
import { ask, defineStory, get, list, type Story } from "../scenario";

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
  defineStory(
    "sessions are listed with the one that asks, and ended one by one or all at once",
    { before: signedIn({ laptop: "edit", phone: "edit", other: "read" }) },
    [
      ask(null, "GET /v1/user/sessions", 200, {
        headers: { cookie: "{phone}" },
        see: {
          count: 2,
          items: [
            { object: "session", by: "link", current: false, userAgent: "Browser laptop" },
            { current: true, userAgent: "Browser phone" },
          ],
        },
        keep: { first: "items.0.id", second: "items.1.id" },
      }),
      get("edit", "/v1/user/sessions?limit=1", { count: 2, items: [{ current: false }] }),
      list("admin", "/v1/user/sessions", []),
      ask(null, "GET /v1/user/sessions", "401 unauthorized"),
      ask("read", "DELETE /v1/user/sessions/{first}", 204),
      ask(null, "GET /v1/user", 200, { headers: { cookie: "{laptop}" }, see: { id: "{edit}" } }),
      ask(null, "DELETE /v1/user/sessions/{first}", "403 cross_site", { headers: { cookie: "{phone}" } }),
      ask(null, "DELETE /v1/user/sessions/{first}", 204, { headers: { cookie: "{phone}", ...here } }),
      ask(null, "GET /v1/user", 401, { headers: { cookie: "{laptop}" } }),
      ask(null, "DELETE /v1/user/sessions", 401),
      ask(null, "DELETE /v1/user/sessions", 204, { headers: { cookie: "{phone}", ...here } }),
      ask(null, "GET /v1/user", 401, { headers: { cookie: "{phone}" } }),
      ask(null, "GET /v1/user", 200, { headers: { cookie: "{other}" }, see: { id: "{read}" } }),
      get("edit", "/v1/user"),
    ],
  ),
  defineStory("a session that is not used ends", { before: signedIn({ laptop: "edit" }) }, [
    ask(null, "GET /v1/user", 200, { headers: { cookie: "{laptop}" }, after: 13 * DAY }),
    ask(null, "GET /v1/user", 401, { headers: { cookie: "{laptop}" }, after: 15 * DAY }),
    ask("edit", "DELETE /v1/user/sessions/ses_none", 204),
  ]),
];

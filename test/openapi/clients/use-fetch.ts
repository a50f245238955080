// What a person writes who generated types with openapi-typescript. It is compiled beside the generated `schema.ts`.

import createClient from "openapi-fetch";
import type { components, paths } from "./schema";

declare const process: { env: Record<string, string>; stdout: { write(text: string): void } };
const { URL: baseUrl, TOKEN, ORGANIZATION } = process.env as { URL: string; TOKEN: string; ORGANIZATION: string };

type Team = components["schemas"]["Team"];
const body: components["schemas"]["CreateTeamBody"] = { title: "Writers" };
// @ts-expect-error: a title is a text.
const wrong: components["schemas"]["CreateTeamBody"] = { title: 7 };
void wrong;

const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${TOKEN}` } });
const path = { organizationId: ORGANIZATION };

const made = await client.PUT("/orgs/{organizationId}/teams", { params: { path }, body });
const listed = await client.GET("/orgs/{organizationId}/teams", { params: { path, query: { limit: 10 } } });
const refused = await client.PUT("/orgs/{organizationId}/teams", { params: { path }, body });
const missing = await client.GET("/orgs/{organizationId}/teams/{teamId}", {
  params: { path: { ...path, teamId: "tem_nothing" } },
});

const team: Team = made.data!;
const teams: components["schemas"]["TeamList"] = listed.data!;
const reason: components["schemas"]["ErrorDetails"]["reason"] = refused.error!.error.reason;
process.stdout.write(
  JSON.stringify({
    made: team.title,
    listed: teams.items.map((it) => it.title),
    refused: reason,
    missing: missing.response.status,
  }),
);

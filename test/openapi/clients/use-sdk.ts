// What a person writes who generated a client with @hey-api/openapi-ts. It is compiled beside the generated `sdk`.

import {
  type CreateTeamBody,
  createTeam,
  type ErrorDetails,
  getTeam,
  listTeams,
  type Team,
  type TeamList,
} from "./sdk";
import { client } from "./sdk/client.gen";

declare const process: { env: Record<string, string>; stdout: { write(text: string): void } };
const { URL: baseUrl, TOKEN, ORGANIZATION } = process.env as { URL: string; TOKEN: string; ORGANIZATION: string };

client.setConfig({ baseUrl, auth: () => TOKEN });
const path = { organizationId: ORGANIZATION };
const body: CreateTeamBody = { title: "Writers" };
// @ts-expect-error: a title is a text.
const wrong: CreateTeamBody = { title: 7 };
void wrong;

const made = await createTeam({ path, body });
const listed = await listTeams({ path, query: { limit: 10 } });
const refused = await createTeam({ path, body });
const missing = await getTeam({ path: { ...path, teamId: "tem_nothing" } });

const team: Team = made.data!;
const teams: TeamList = listed.data!;
const reason: ErrorDetails["reason"] = refused.error!.error.reason;
process.stdout.write(
  JSON.stringify({
    made: team.title,
    listed: teams.items.map((it) => it.title),
    refused: reason,
    missing: missing.response?.status,
  }),
);

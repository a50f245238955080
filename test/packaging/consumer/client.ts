// A program of somebody who calls the API from elsewhere, without Node's types: the client alone, and an API behind it.

import { createDocsApi } from "octavo";
import { CallError, type Client, createClient, type Resources, type Result } from "octavo/client";
import { memoryStorage } from "octavo/memory";

const api = createDocsApi(memoryStorage());
const { organization, token } = await api.provision({
  user: { displayName: "Ada", email: "ada@example.com" },
  organization: { title: "Letters" },
  token: { label: "first" },
});
const params = { organizationId: organization! };
const docs: Client = createClient({ url: "https://docs.example.com", token, fetch: api.fetch });

const made: Result<Resources.Team> = await docs.call("createTeam", { params, body: { title: "Writers" } });
if (!made.ok) throw made.error;
const titles: string[] = [];
for await (const team of docs.each("listTeams", { params, query: { limit: 1 } })) titles.push(team.title);
if (titles.join() !== "Writers") throw new Error(`The teams are ${titles}.`);

const { error } = await docs.call("getTeam", { params: { ...params, teamId: "tem_0" } });
if (!(error instanceof CallError) || error.reason !== "team_not_found")
  throw new Error(`getTeam failed with ${error}.`);
// @ts-expect-error: an id is missing.
await docs.call("getTeam", { params });
await api.close();

// The client in every runtime, out of the built package: over the runtime's own `fetch`, and cut off by a signal.

import { nodeHandler } from "octavo/node";
import { beforeAll, describe, expect, test } from "vitest";
import { docs, serve } from "../../node/servers";
import { commands, inWorker, type Program } from "./everywhere";
import { project } from "./project";

/** What a runtime does: `createClient` is imported. */
const program = (url: string, token: string, organizationId: string) => `
  const docs = createClient({ url: ${JSON.stringify(url)}, token: ${JSON.stringify(token)} });
  const params = { organizationId: ${JSON.stringify(organizationId)} };
  const titles = [];
  for (const title of ["Grüße", "世界"]) await docs.call("createTeam", { params, body: { title } });
  for await (const team of docs.each("listTeams", { params, query: { limit: 1 } })) titles.push(team.title);
  const made = await docs.call("createSpace", { params, body: { title: "Guide" } });
  const { etag } = await docs.call("getOrganization", { params });
  const answers = [
    titles,
    made.status,
    (await docs.call("getOrganization", { params }, { etag })).status,
    (await docs.call("getTeam", { params: { ...params, teamId: "tem_0" } })).error.reason,
    (await docs.call("getOrganization", { params }, { signal: AbortSignal.abort() })).error.reason,
  ];
`;
const expected = [["Grüße", "世界"], 201, 304, "team_not_found", "aborted"];

let path: string;
beforeAll(async () => {
  path = await project([]);
});

/** An API of its own for each runtime, and what the runtime is to do with it. */
async function given(): Promise<Program> {
  const { api, organization, authorization } = await docs();
  const text = program(await serve(nodeHandler(api)), authorization.slice("Bearer ".length), organization);
  return { imports: 'import { createClient } from "octavo/client";', text };
}

describe("the client in every runtime", () => {
  test("the client calls, iterates and handles a refusal on Node", async () => {
    expect(await commands.Node(path, await given())).toEqual(expected);
  });

  test("the client calls, iterates and handles a refusal on Bun", async () => {
    expect(await commands.Bun(path, await given())).toEqual(expected);
  });

  test("the client calls, iterates and handles a refusal on Deno with permission to reach that server", async () => {
    expect(await commands.Deno(path, await given(), ["--allow-net=127.0.0.1"])).toEqual(expected);
  });

  test("the client calls, iterates and handles a refusal in a Worker", async () => {
    expect(await inWorker(path, await given())).toEqual(expected);
  });
});

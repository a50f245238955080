// The client in every runtime, out of the built package: over the runtime's own `fetch`, and cut off by a signal.

import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Miniflare } from "miniflare";
import { nodeHandler } from "octavo/node";
import { beforeAll, describe, expect, test } from "vitest";
import { bundle } from "../../scripts/packaging/size";
import { docs, serve } from "../node/servers";
import { PATIENCE_MS } from "../patience";
import { bun, deno } from "./binaries";
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
  path = await project("worker");
});

/** An API of its own for each runtime, and what the runtime is to do with it. */
async function given(): Promise<string> {
  const { api, organization, authorization } = await docs();
  return program(await serve(nodeHandler(api)), authorization.slice("Bearer ".length), organization);
}

async function answersOf(command: string, args: string[]): Promise<unknown> {
  const text = `import { createClient } from "octavo/client"; ${await given()} console.log(JSON.stringify(answers));`;
  await writeFile(join(path, "client.mjs"), text);
  const { stdout } = await promisify(execFile)(command, [...args, "client.mjs"], { cwd: path, timeout: PATIENCE_MS });
  return JSON.parse(stdout);
}

describe("the client calls, walks and is refused", () => {
  test("on Node", async () => {
    expect(await answersOf(process.execPath, [])).toEqual(expected);
  });

  test("on Bun", async () => {
    expect(await answersOf(bun, [])).toEqual(expected);
  });

  test("on Deno, with the right to reach that server", async () => {
    const alone = ["--no-remote", "--cached-only", "--node-modules-dir=manual"];
    expect(await answersOf(deno, ["run", ...alone, "--allow-net=127.0.0.1"])).toEqual(expected);
  });

  test("in a Worker", async () => {
    const text = `import { createClient } from "octavo/client"; export default { async fetch() { ${await given()} return Response.json(answers); } }`;
    await writeFile(join(path, "worker.mjs"), text);
    const script = await bundle(join(path, "worker.mjs"), join(path, "bundled"));
    const workerd = new Miniflare({ host: "127.0.0.1", compatibilityDate: "2026-04-01", modules: true, script });
    try {
      expect(await (await workerd.dispatchFetch("http://localhost/")).json()).toEqual(expected);
    } finally {
      await workerd.dispose();
    }
  });
});

// A check finds what readers would stumble over, says where it is, and tells a build by its status.

import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { ran } from "./run";
import { served } from "./servers";

type Served = Awaited<ReturnType<typeof served>>;

async function spaceWith(
  { api, organization, user }: Served,
  title: string,
  pages: Record<string, string>,
): Promise<string> {
  const space = await api.call("createSpace", { params: { organizationId: organization }, body: { title } }, { user });
  const changes = Object.entries(pages).map(([name, markdown]) => ({
    operation: "insert_page" as const,
    title: name,
    document: { markdown },
  }));
  await api.call("changeContent", { params: { spaceId: space.id }, body: { changes } }, { user });
  return space.id;
}

test("check reports no problems for a space without broken links", async () => {
  const server = await served();
  const space = await spaceWith(server, "Guide", { Start: "To [install](./install.md).\n", Install: "Run it.\n" });
  expect(await ran(["check", "--space", space], server.env)).toEqual({
    status: 0,
    stdout: "Checked 2 pages in 1 space: found 0 problems.\n",
    stderr: expect.stringContaining("pages of Guide: 2 of 2"),
  });
});

test("check reports broken links with their pages for the space, the site and the organization", async () => {
  const server = await served();
  const { api, organization, user, env } = server;
  const good = await spaceWith(server, "Good", { Start: "Hello.\n" });
  const bad = await spaceWith(server, "Bad", {
    Start: "To [nowhere](./gone.md) and [there](#no-such).\n",
    Next: "[x](./gone.md)\n",
  });
  const site = await api.call(
    "createSite",
    { params: { organizationId: organization }, body: { title: "Site", spaces: [good] } },
    { user },
  );
  const found = await ran(["check", "--json"], env);
  expect(found.status).toBe(1);
  const { spaces, pages, found: findings } = JSON.parse(found.stdout);
  expect([spaces, pages]).toEqual([2, 3]);
  expect(findings).toEqual(
    expect.arrayContaining([
      { kind: "broken-link", space: bad, where: "start", reason: expect.stringContaining("gone.md") },
      { kind: "broken-link", space: bad, where: "next", reason: expect.stringContaining("gone.md") },
    ]),
  );
  const text = await ran(["check", "--space", bad], env);
  expect(text.status).toBe(1);
  expect(text.stdout).toMatch(/^Bad: start: It links to .*gone.*, which doesn't exist\.$/m);
  expect(await ran(["check", "--site", site.id, "--org", organization], env)).toMatchObject({ status: 0 });
});

const book = {
  "SUMMARY.md":
    "* [Start](README.md)\n* ```yaml\n  type: builtin:openapi\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: pets\n  ```\n",
  "README.md": "# Start\n",
};

test("check reports a computed page that shows nothing and a specification that failed", async () => {
  const archive = zipSync(Object.fromEntries(Object.entries(book).map(([path, text]) => [path, strToU8(text)])));
  const server = await served({ fetch: async () => new Response(new Uint8Array(archive)) });
  const { api, organization, user, env } = server;
  await api.call(
    "putOpenApiSpec",
    {
      params: { organizationId: organization, specSlug: "pets" },
      body: { source: { text: "this: is no specification" } },
    },
    { user },
  );
  await api.maintain();
  const address = "https://books.example/book.zip";
  const imported = await ran(["import", address, "--source", "zip", "--title", "Guide", "--json"], env);
  const { space, imported: count, leftOut } = JSON.parse(imported.stdout);
  expect([imported.status, count, leftOut]).toEqual([0, { resources: expect.any(Number) }, []]);
  const found = await ran(["check", "--org", organization, "--json"], env);
  expect(found.status).toBe(1);
  expect(JSON.parse(found.stdout).found).toEqual([
    {
      kind: "computed-page",
      space,
      where: expect.any(String),
      reason: expect.stringContaining("computed page has no content"),
    },
    { kind: "openapi", where: "pets", reason: expect.stringMatching(/\.$/) },
  ]);
  expect(await ran(["import", address], env)).toMatchObject({ status: 2, stderr: expect.stringContaining("--source") });
});

test("check refuses a space that does not exist, and does not count it as a problem", async () => {
  const { env } = await served();
  const refused = await ran(["check", "--space", "spc_none"], env);
  expect(refused).toMatchObject({ status: 1, stdout: "", stderr: expect.stringMatching(/^[^\n]+\.\n$/) });
});

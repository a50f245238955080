// Specifications and integrations are published from files.

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { findImports } from "../../cli/commands/publish-integration";
import { ran } from "./run";
import { served } from "./servers";
import { temporaryDirectory } from "./temporary";

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await temporaryDirectory();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

test("publish uploads a specification, makes it public, and reports why one is rejected", async () => {
  const { env, api, user, organization } = await served();
  const folder = await folderWith({
    "pets.yaml": "openapi: 3.1.0\ninfo: { title: Pets, version: '1' }\npaths: {}\n",
    "bad.yaml": "this: is none\n",
  });
  const published = await ran(
    ["publish-openapi", join(folder, "pets.yaml"), "--slug", "pets", "--visibility", "public"],
    env,
  );
  expect(published).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Published pets: \S+\.\n$/) });
  const params = { organizationId: organization, specSlug: "pets" };
  expect(await api.call("getOpenApiSpec", { params }, { user })).toMatchObject({ visibility: "public" });
  const refused = await ran(["publish-openapi", join(folder, "bad.yaml"), "--slug", "bad"], env);
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringMatching(/^[^\n]+\.\n$/)]);
  expect(await ran(["publish-openapi", join(folder, "pets.yaml")], env)).toMatchObject({ status: 2 });
  expect(await ran(["publish-openapi", join(folder, "none.yaml"), "--slug", "x"], env)).toMatchObject({ status: 2 });
});

const script = "export default { async fetch() { return new Response(null, { status: 200 }); } };\n";

test("publish-integration publishes a folder, with secrets from the environment", async () => {
  const { env } = await served();
  const manifest = { name: "hello", title: "Hello", scopes: ["space:content:read"], script: "src/hello.js" };
  const folder = await folderWith({ "integration.json": JSON.stringify(manifest), "src/hello.js": script });
  const run = (...more: string[]) => ran(["publish-integration", folder, ...more], { ...env, KEY: "k" });
  expect(await run("--secret-from", "KEY")).toMatchObject({ status: 0, stdout: "Published hello, version 1.\n" });
  expect(JSON.parse((await run("--json")).stdout)).toMatchObject({ name: "hello", version: 2, title: "Hello" });
  expect(await run("--secret-from", "MISSING")).toMatchObject({
    status: 2,
    stderr: "The variable MISSING is missing or empty.\n",
  });
});

test.each([
  [{ "integration.json": "[]" }, /must be a JSON object\.$/],
  [{ "integration.json": "{}" }, /must have a name: the integration's name\.$/],
  [{ "integration.json": '{"name":"a","secrets":{"A":"b"}}' }, /must not contain secrets/],
  [{ "integration.json": '{"name":"a","script":"none.js"}' }, /^Cannot read script .*none\.js\.$/],
  [
    { "integration.json": '{"name":"a","script":"a.js"}', "a.js": `import { x } from "./x.js";\n${script}` },
    /a\.js imports \.\/x\.js\. Bundle it into one file first/,
  ],
  [{}, /^Manifest not found: /],
])("publish-integration rejects what is not an integration before it sends anything: %j", async (files, sentence) => {
  const folder = await folderWith(files as Record<string, string>);
  const { status, stderr } = await ran(["publish-integration", folder], { OCTAVO_URL: "http://127.0.0.1:1" });
  expect(status).toBe(2);
  expect(stderr.trimEnd()).toMatch(sentence);
});

test("imports are recognized in all their forms, and the same words in comments and strings are not", () => {
  const forms = [
    'import a from "a";',
    "import * as b from 'b'",
    'import "c";',
    'export { d } from "d";',
    'const e = await import("e");',
    'import f, {\n  g,\n} from "f";',
  ].join("\n");
  expect(findImports(forms)).toEqual(["a", "b", "c", "d", "e", "f"]);
  const none = [
    '// import a from "a";',
    '/* import "b"; */',
    'const x = "import";',
    '`\nimport a from "a";`',
    'export default "x";',
  ];
  expect(findImports(none.join("\n"))).toEqual([]);
});

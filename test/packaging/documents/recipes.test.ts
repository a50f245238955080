// docs/guides/embed-in-your-server.md shows the examples as they are, and all of them. What the README links to is in the package.

import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { files } from "../../../package.json";
import { withExamples } from "../../../scripts/recipes/with-examples";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

test("docs/guides/embed-in-your-server.md shows the examples as they are", () => {
  const page = read("docs/guides/embed-in-your-server.md");
  expect(
    withExamples(page, read) === page,
    "docs/guides/embed-in-your-server.md is stale: run `npm run generate:examples`",
  ).toBe(true);
});

test("a difference between a recipe and its example is detected", () => {
  const stale = "# A\n\n<!-- examples/a.ts -->\n\n```ts\nold\n```\n\nB\n\n<!-- examples/b.json -->\n\nC\n";
  const fresh =
    "# A\n\n<!-- examples/a.ts -->\n\n```ts\nnew\n```\n\nB\n\n<!-- examples/b.json -->\n\n```json\n{}\n```\n\nC\n";
  const example = (path: string) => (path === "examples/a.ts" ? "new\n" : "{}\n");
  expect(withExamples(stale, example)).toBe(fresh);
  expect(withExamples(fresh, example)).toBe(fresh);
});

test("every example is shown or linked", () => {
  const page = read("docs/guides/embed-in-your-server.md");
  const examples = readdirSync(join(root, "examples")).filter((name) => name !== "integrations" && name !== "sample");
  for (const name of examples) expect(page, name).toContain(`examples/${name}`);
});

test.each(["README.md", "adapters/README.md"])("every file that %s links to is in the package", (document) => {
  const prose = read(document).replace(/^ *(`{3,})[^\n]*\n[\s\S]*?^ *\1 *$/gm, "");
  const links = [...prose.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, href]) => href!);
  const local = links.filter((href) => !/^https?:/.test(href)).map((href) => posix.join(posix.dirname(document), href));
  const packed = [...files, "README.md", "LICENSE"];
  const absent = local.filter((path) => !packed.some((it) => path === it || path.startsWith(`${it}/`)));
  expect(local.length).toBeGreaterThan(4);
  expect(absent).toEqual([]);
});

test("the reference adapter and the contract that adapters/README.md tells people to read are in the package", () => {
  expect(files).toEqual(expect.arrayContaining(["adapters/memory", "adapters/adapter.ts", "src/storage/storage.ts"]));
});

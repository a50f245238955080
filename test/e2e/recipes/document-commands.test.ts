// The commands of the README and of the guides work as a reader pastes them, with the package that this clone builds. The packed
// tarball runs the same in `tarball.outside.test.ts`.

import { chmod, cp, mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { project, root } from "../runtimes/project";
import { readCommandBlocks, readGuides, runCommandBlocks } from "./document-commands";

/** The blocks that cannot run on every machine: they need a cloud, a container, another server or a website. */
const NOT_RUN: Readonly<Record<string, number>> = {
  "docs/guides/import.md": 1,
  "docs/guides/git-sync.md": 3,
  "docs/guides/openapi.md": 1,
  "docs/guides/translations.md": 2,
  "docs/guides/choose-a-storage.md": 3,
  "docs/guides/deploy.md": 3,
  "docs/guides/sign-in.md": 1,
  "docs/guides/backup-and-upgrade.md": 1,
};

async function createReaderProject(): Promise<string> {
  const path = await project([]);
  const program = join(path, "node_modules/octavo/dist/cli.js");
  await chmod(program, 0o755);
  await cp(join(root, "examples/sample"), join(path, "node_modules/octavo/examples/sample"), { recursive: true });
  await mkdir(join(path, "node_modules/.bin"));
  await symlink(program, join(path, "node_modules/.bin/octavo"));
  return path;
}

const readme = async () => readCommandBlocks("README.md", await readFile(join(root, "README.md"), "utf8"));
const guides = async () => (await readGuides()).flatMap(([name, text]) => readCommandBlocks(name, text));

test("every command of the README works in a new folder", async () => {
  const blocks = await readme();
  expect(blocks.length).toBeGreaterThan(2);
  expect((await runCommandBlocks(await createReaderProject(), blocks)).error).toBeUndefined();
});

test("every command of the guides works, one guide after the other", async () => {
  const blocks = await guides();
  expect(blocks.filter(({ mode }) => mode === "now").length).toBeGreaterThan(50);
  expect((await runCommandBlocks(await createReaderProject(), blocks, { usesNpx: false })).error).toBeUndefined();
});

test("only commands that need another machine are not run", async () => {
  const counts: Record<string, number> = {};
  for (const { mode, place } of [...(await readme()), ...(await guides())]) {
    const name = place.split(":")[0]!;
    if (mode === "no-run") counts[name] = (counts[name] ?? 0) + 1;
  }
  expect(counts).toEqual(NOT_RUN);
});

test("a command that fails, one that prints undefined and one that should fail are reported with their place", async () => {
  const path = await project([]);
  const run = async (text: string) => (await runCommandBlocks(path, readCommandBlocks("a.md", text))).error;
  expect(await run("# A\n\n```sh\necho one\n```\n\n1. B\n\n   ```sh\n   false\n   ```\n")).toMatch(
    /^## a\.md:3\none\n## a\.md:9\n/,
  );
  expect(await run("```sh\necho undefined\n```\n")).toBe("a.md:1 prints undefined.");
  expect(await run("```sh fails\ntrue\n```\n")).toContain("This command must fail.");
  expect(await run("```sh fails\nfalse\n```\n\n```sh no-run\nfalse\n```\n")).toBeUndefined();
  expect(
    await run('```js title="a/b.mjs"\nconsole.log("$A `b`");\n```\n\n```sh\nnode a/b.mjs | grep \'$A `b`\'\n```\n'),
  ).toBeUndefined();
  expect(() => readCommandBlocks("a.md", "```sh nonsense\nls\n```\n")).toThrow('a.md:1: "nonsense" is not one of');
});

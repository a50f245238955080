// The checks of `npm run package` notice what they are there for.

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { findBrokenPackageLinks } from "../../scripts/packaging/links";
import { unportable, withImports } from "../../scripts/packaging/portable";
import { compareSize, measured, startingCode } from "../../scripts/packaging/size";

describe("portability", () => {
  const controls: readonly (readonly [code: string, says: string])[] = [
    ['import { join } from "node:path";', "core imports node:path."],
    ['import{readFile as a}from"fs";', "core imports fs."],
    ['import "node:process";', "core imports node:process."],
    ['const { connect } = await import("node:net");', "core imports node:net."],
    ['export * from "node:url";', "core imports node:url."],
    ['const fs = require("./x");', "core has require(."],
    ['eval("1")', "core has eval(."],
    ['const f = new Function("return 1");', "core has new Function."],
  ];

  test.each(controls)("code that is not portable is detected: %s", (code, says) => {
    expect(unportable("core", code)).toEqual([says]);
  });

  test("portable code that looks similar is accepted", () => {
    const harmless = 'import * as v from "valibot"; v.require(1); retrieval("node:fs"); /* a new function */';
    expect(unportable("core", harmless)).toEqual([]);
  });

  test("unportable code is detected in a chunk that another chunk imports", async () => {
    const folder = await mkdtemp(join(tmpdir(), "octavo-portable-"));
    try {
      await writeFile(join(folder, "index.js"), 'import { a } from "./chunk-a.js";');
      await writeFile(join(folder, "chunk-a.js"), 'import "./chunk-b.js"; import "./index.js"; export const a = 1;');
      await writeFile(join(folder, "chunk-b.js"), 'import "node:fs";');
      await writeFile(join(folder, "unused.js"), 'import "node:net";');
      const files = await withImports(pathToFileURL(join(folder, "index.js")));
      expect([...files].flatMap(([, code]) => unportable("core", code))).toEqual(["core imports node:fs."]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("size limits", () => {
  test("the size of an entry point is the size of what is loaded at once", async () => {
    const folder = await mkdtemp(join(tmpdir(), "octavo-size-"));
    try {
      const entry = 'import { used } from "./used.js"; export const load = () => import("./lazy.js"); export { used };';
      await writeFile(join(folder, "index.js"), entry);
      await writeFile(join(folder, "used.js"), 'export const used = "needed at once";');
      await writeFile(join(folder, "lazy.js"), 'export const lazy = "needed later";');
      const code = await startingCode(join(folder, "index.js"), join(folder, "out"));
      expect(code).toContain("needed at once");
      expect(code).not.toContain("needed later");
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("an entry point may grow by a tenth", () => {
    expect(compareSize(measured.index, 110_000, 100_000)).toMatchObject({ isTooMuch: false });
    expect(compareSize(measured.index, 60_000, 100_000)).toMatchObject({ isTooMuch: false });
  });

  test("a larger growth is rejected with instructions to accept it", () => {
    const { isTooMuch, says } = compareSize(measured.index, 110_001, 100_000);
    expect(isTooMuch).toBe(true);
    expect(says).toContain("npm run package -- --accept-size");
  });

  test("a size above the limit is rejected, whatever is recorded", () => {
    expect(compareSize(measured.client, 8193, 8193)).toMatchObject({ isTooMuch: true });
    expect(compareSize(measured.index, 262_144, 262_144)).toMatchObject({ isTooMuch: false });
    const { isTooMuch, says } = compareSize(measured.index, 262_145, 262_145);
    expect(isTooMuch).toBe(true);
    expect(says).toContain("At most 262144 are allowed.");
    expect(says).not.toContain("--accept-size");
  });
});

test("links of the package that lead nowhere are found, those to files that only the repository has among them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "octavo-links-"));
  try {
    await mkdir(join(folder, "docs/pictures"), { recursive: true });
    await mkdir(join(folder, "src"));
    const repository = { url: "git+https://code.example/a/b.git" };
    const source = "https://code.example/a/b/blob/main";
    const readme = [
      "# A title\n",
      "[1](docs) [2](docs/a.md#a-part) [3](docs/a.md#none) [4](docs/none.md) [5](#a-title) [6](src/a.ts)",
      "![7](docs/pictures/a.png) ![8](docs/pictures/none.png) [9](https://example.com/none) `[10](none)`",
      `[11](${source}/src/a.ts#L1) [12](${source}/src/none.ts) [13](${source.replace("/blob/main", "/issues")})\n`,
      "```md\n[14](none)\n```\n",
    ].join("\n");
    const files = { "package.json": JSON.stringify({ repository }), "README.md": readme, "docs/a.md": "## A part\n" };
    const others = { "src/a.ts": "", "docs/pictures/a.png": "" };
    for (const [path, text] of Object.entries({ ...files, ...others })) await writeFile(join(folder, path), text);
    expect(await findBrokenPackageLinks(folder, Object.keys(files))).toEqual([
      "README.md: docs/a.md#none",
      "README.md: docs/none.md",
      "README.md: src/a.ts",
      "README.md: docs/pictures/none.png",
      `README.md: ${source}/src/none.ts`,
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

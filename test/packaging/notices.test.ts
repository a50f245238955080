// Everything that others wrote and that is built into the package has its notice.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { copyrightsIn, createNotices, missingIn, packagesOf } from "../../scripts/packaging/notices";
import { createSbom } from "../../scripts/packaging/sbom";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

test("the license notices include the origins that source files state", async () => {
  const notices = await createNotices();
  const manifest = JSON.parse(read("package.json"));
  const sources = ["src", "adapters", "cli"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((file) => String(file).endsWith(".ts"))
      .map((file) => read(join(folder, String(file)))),
  );
  const copyrights = sources.flatMap(copyrightsIn);
  expect(copyrights.length).toBeGreaterThan(4);
  const peers = new Set(Object.keys(manifest.peerDependencies));
  const bundled = Object.keys(manifest.devDependencies).filter(
    (name) => !peers.has(name) && !name.startsWith("@types/"),
  );
  const imported = bundled.filter((name) => sources.some((text) => text.includes(`from "${name}`)));
  expect(imported).toContain("markdown-it-emoji");
  expect(missingIn(notices, imported, copyrights)).toEqual([]);
});

test("the bill of materials includes what is installed and bundled", async () => {
  const bill = await createSbom();
  const manifest = JSON.parse(read("package.json"));
  const { components, dependencies } = JSON.parse(bill) as {
    readonly components: readonly { readonly name: string; readonly licenses?: unknown; readonly purl: string }[];
    readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  };
  const names = components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...Object.keys(manifest.dependencies), "preact", "xml-crypto"]));
  expect(names.filter((name) => name.startsWith("@aws-sdk") || name === "vitest")).toEqual([]);
  expect(components.filter(({ licenses }) => !licenses)).toEqual([]);
  const known = new Set(components.map(({ purl }) => purl));
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !known.has(ref))).toEqual([]);
});

test("a bundled package without a notice is detected", () => {
  const map = { sources: ["../src/a.ts", "../node_modules/left/index.js", "../../node_modules/@a/b/c.js", null] };
  expect(packagesOf(JSON.stringify(map))).toEqual(["left", "@a/b"]);
  expect(packagesOf(JSON.stringify({ sources: ["node_modules/x/node_modules/y/z.js"] }))).toEqual(["y"]);
  const notices = "# Notices\n\n## left\n\nCopyright (c) 2020 Ada\n";
  expect(copyrightsIn("/*!\nCopyright (c) 2020 Ada\n*/\n// Copyright (c) 2021 Bob and under the MIT License")).toEqual([
    "Copyright (c) 2020 Ada",
    "Copyright (c) 2021 Bob",
  ]);
  expect(missingIn(notices, ["left", "@a/b"], ["Copyright (c) 2020 Ada", "Copyright (c) 2021 Bob"])).toEqual([
    "@a/b",
    "Copyright (c) 2021 Bob",
  ]);
});

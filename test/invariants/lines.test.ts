// Lines that the formatter cannot break, such as long texts, are broken by hand. Files that a command writes are left out.

import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const MAX_LENGTH = 160;
const WRITTEN_BY_HAND = /^(?!.*\/(?:built|generated)\/)(?!src\/(?:pdf\/emoji\/drawings|site\/icons\/drawings)\.ts$)/;

test.each(["src", "adapters", "cli"])(`no line of %s is longer than ${MAX_LENGTH} characters`, async (folder) => {
  const root = new URL(`../../${folder}/`, import.meta.url);
  const files = (await readdir(root, { recursive: true })).filter(
    (file) => /\.tsx?$/.test(file) && WRITTEN_BY_HAND.test(`${folder}/${file}`) && !file.includes("node_modules"),
  );
  const long: string[] = [];
  for (const file of files) {
    const lines = (await readFile(new URL(file, root), "utf8")).split("\n");
    for (const [i, line] of lines.entries()) if (line.length > MAX_LENGTH) long.push(`${folder}/${file}:${i + 1}`);
  }
  expect(files.length).toBeGreaterThan(10);
  expect(long).toEqual([]);
});

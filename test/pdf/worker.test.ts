// The printer in Cloudflare's workerd: no Node, no eval, and what is read of the file is the same as elsewhere.

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundle } from "../../scripts/packaging/size";
import { pdfPrinter } from "../../src/pdf";
import { readPdf } from "./reader";
import { h, job, p, page } from "./writing";

const root = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(import.meta.url);
const words = ["日本語の文書", "Ωμέγα", "office"];

const worker = `
import { pdfPrinter } from "${join(root, "src/pdf/index.ts")}";
import { h, job, p, page } from "${join(root, "test/pdf/writing.ts")}";

export default {
  async fetch(request) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    const fonts = bytes.length > 0 ? { sans: () => bytes } : undefined;
    const printer = pdfPrinter(fonts && { fonts });
    const pages = [page("Page", 0, h(1, "Heading"), ...${JSON.stringify(words)}.map((each) => p(each)))];
    return new Response(await printer.print(job(pages)));
  },
};
`;

let folder: string;
let workerd: Miniflare;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "octavo-pdf-"));
  await writeFile(join(folder, "worker.ts"), worker);
  const script = await bundle(join(folder, "worker.ts"), join(folder, "bundle"));
  workerd = new Miniflare({ modules: true, script, compatibilityDate: "2026-01-01" });
});
afterAll(async () => {
  await workerd?.dispose();
  await rm(folder, { recursive: true, force: true });
});

test.each([
  ["the standard fonts", undefined],
  ["a font", "@fontsource/noto-sans-jp/files/noto-sans-jp-japanese-400-normal.woff"],
])("in workerd with %s, the printer gives the same bytes as on Node", async (_, name) => {
  const font = name === undefined ? undefined : await readFile(require.resolve(name));
  const { origin } = await workerd.ready;
  const response = await fetch(origin, { method: "POST", body: font ?? new Uint8Array() });
  expect(response.status).toBe(200);
  const printed = new Uint8Array(await response.arrayBuffer());
  const pages = [page("Page", 0, h(1, "Heading"), ...words.map((each) => p(each)))];
  const read = await readPdf(printed);
  expect(read).toEqual(await readPdf(await pdfPrinter(font && { fonts: { sans: font } }).print(job(pages))));
  expect(read.text).toContain("Heading");
});

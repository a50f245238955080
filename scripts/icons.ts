// Writes src/site/icons/drawings.ts again, from icons that were unpacked somewhere:
// `npx tsx scripts/icons.ts <folder of the package @fortawesome/fontawesome-free>`.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";

interface Icon {
  readonly aliases?: { readonly names?: readonly string[] };
  readonly svgs: {
    readonly classic: Readonly<
      Record<string, { readonly width: number; readonly height: number; readonly path: string }>
    >;
  };
}

const folder = argv[2];
if (folder === undefined) throw new Error("Name the folder of the unpacked package @fortawesome/fontawesome-free.");
const icons = JSON.parse(await readFile(join(folder, "metadata/icon-families.json"), "utf8")) as Record<string, Icon>;
const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { readonly version: string };
const lines = Object.entries(icons).flatMap(([name, { svgs, aliases }]) => [
  ...Object.entries(svgs.classic).map(
    ([style, { width, height, path }]) => `${name} ${style} ${width} ${height} ${path}`,
  ),
  ...(aliases?.names ?? []).filter((alias) => !Object.hasOwn(icons, alias)).map((alias) => `${alias} = ${name}`),
]);
const text = lines.join("\n");
const packed = deflateSync(text, { level: 9 }).toString("base64");
await writeFile(
  fileURLToPath(new URL("../src/site/icons/drawings.ts", import.meta.url)),
  `// Written by scripts/icons.ts: the icons of Font Awesome Free ${version} by @fontawesome, deflated. They are under CC BY 4.0:
// https://fontawesome.com/license/free

/** A line for each: its name, its style, its width and height, and its path; or its name, \`=\`, and its other name. */
export const drawings =
  "${packed}";
`,
);
console.log(`${lines.length} lines, ${text.length} characters, ${packed.length} packed`);

// Builds the application of the console: what runs in the browser, as one module that holds every file as a text. It is made
// before anything that serves it runs, and never committed.

import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { pickLocaleAreas } from "../packaging/locale-areas";

const at = (path: string) => fileURLToPath(new URL(`../../src/console/${path}`, import.meta.url));

/** What the bundler says of what it did. */
const META = "metafile-esm.json";

interface Meta {
  readonly outputs: Record<string, { readonly inputs: Record<string, { readonly bytesInOutput: number }> }>;
}

/** Writes src/console/built/files.js. */
export async function buildConsole(): Promise<void> {
  await mkdir(at("built"), { recursive: true });
  // Two builds at once do not see halves of each other.
  const draft = at(`built/files.${process.pid}.tmp`);
  await writeFile(draft, moduleOf(await builtConsole()));
  await rename(draft, at("built/files.js"));
}

/** The application as it is built. */
export interface BuiltConsole {
  /** Its files, by names that hold a digest of their bytes. */
  readonly files: Readonly<Record<string, string>>;
  /** The packages whose code is in them. */
  readonly packages: readonly string[];
}

export async function builtConsole(): Promise<BuiltConsole> {
  const outDir = await mkdtemp(join(tmpdir(), "octavo-console-"));
  try {
    await build({
      config: false,
      silent: true,
      entry: { console: at("app/main.tsx"), look: at("app/styles/index.css") },
      outDir,
      format: "esm",
      target: "es2022",
      platform: "browser",
      minify: true,
      splitting: true,
      dts: false,
      metafile: true,
      outExtension: () => ({ js: ".js" }),
      // Everything is built in: a browser has no packages.
      noExternal: [/./],
      // The previews of pages show the messages of sites.
      esbuildPlugins: [pickLocaleAreas((area) => area === "console" || area === "site")],
      esbuildOptions(options) {
        options.entryNames = "[name].[hash]";
        options.chunkNames = "part.[hash]";
        options.jsx = "automatic";
        options.jsxImportSource = "preact";
      },
    });
    const names = (await readdir(outDir)).filter((name) => name !== META).sort();
    const texts = await Promise.all(names.map((name) => readFile(join(outDir, name), "utf8")));
    const { outputs } = JSON.parse(await readFile(join(outDir, META), "utf8")) as Meta;
    const sources = Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    );
    const packages = sources.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
    return {
      files: Object.fromEntries(names.map((name, i) => [name, texts[i]!])),
      packages: [...new Set(packages)].sort(),
    };
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

function moduleOf({ files }: BuiltConsole): string {
  const named = (start: string, ending: string) =>
    Object.keys(files).find((name) => name.startsWith(`${start}.`) && extname(name) === ending);
  const entry = { script: named("console", ".js"), style: named("look", ".css") };
  return `// Built from src/console/app by \`npm run generate:console\`.\nexport const entry = ${JSON.stringify(entry)};\nexport const files = ${JSON.stringify(files)};\n`;
}

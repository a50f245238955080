// Builds the package, packs it, and looks at the tarball as those who install it will: its metadata, its types, its doors
// without any optional peer, the packages that come along, and the sizes of the core and the client.

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import {
  checkingSeconds,
  compareChecking,
  compareDeclarations,
  declarationsOf,
  packagesIn,
} from "./packaging/declarations";
import { findBrokenPackageLinks } from "./packaging/links";
import { missingIn, NOTICES_FILE, packagesOf } from "./packaging/notices";
import { unportable, withImports } from "./packaging/portable";
import { bundle, compareSize, gzipBytes, measured, startingCode } from "./packaging/size";

const root = fileURLToPath(new URL("..", import.meta.url));
const sizeFile = join(root, "test/packaging/size.json");
const work = await mkdtemp(join(tmpdir(), "octavo-package-"));
const consumer = join(work, "consumer");
const installed = join(consumer, "node_modules", "octavo");

/** The most bytes that the program loads before it knows which command it runs. */
const MOST_FOR_HELP = 100 * 1024;

/** The most bytes of the tarball. */
const MOST_PACKED = 4_000_000;

/** The most packages that a host gets with this one. */
const MOST_PACKAGES = 30;

/** Runs a command of this project's own tools. */
async function run(command: string, args: string[], cwd = root): Promise<void> {
  const ours = ["node_modules/.bin", "test/node_modules/.bin"].map((folder) => join(root, folder));
  const PATH = [...ours, process.env.PATH].join(delimiter);
  try {
    await promisify(execFile)(command, args, { cwd, env: { ...process.env, PATH }, maxBuffer: 64 * 1024 * 1024 });
  } catch (cause) {
    const { stdout = "", stderr = "" } = cause as { stdout?: string; stderr?: string };
    throw new Error([`${command} ${args.join(" ")} failed.`, stdout, stderr].join("\n").trim(), { cause });
  }
}

async function tarball(): Promise<string> {
  const name = (await readdir(work)).find((file) => file.endsWith(".tgz"));
  return join(work, name!);
}

/** What a step has to say, if anything. */
type Step = () => Promise<readonly string[]> | Promise<void>;

/** One stage after the other; the steps of a stage need nothing of each other, and run at once. */
const stages: readonly Readonly<Record<string, Step>>[] = [
  { build: () => run("tsup", ["--silent"]) },
  { pack: () => run("npm", ["pack", "--ignore-scripts", "--pack-destination", work]) },
  {
    "package.json leads to the right files (publint), and every door has its types (are the types wrong?)": lookInside,
    "installs without optional peers": install,
    "the tarball is small and has no source maps, and the links of its documents work": checkTarball,
    "what is built in has its notice": checkNotices,
    "the core and the client run where there is no Node and no eval": checkPortable,
    "the sizes of the core and the client": checkSizes,
  },
  {
    "its types compile in strict projects, with Node's types and without": compile,
    "the size of its types": checkDeclarations,
    "the time that its types take to check": checkChecking,
    "its program runs, and loads nothing for its help": checkProgram,
  },
  { "its doors open where the optional peers are missing": open },
];

async function lookInside(): Promise<void> {
  const packed = await tarball();
  await Promise.all([
    run("publint", ["run", packed, "--strict"]),
    run("attw", [packed, "--profile", "esm-only", "--no-definitely-typed"]),
  ]);
}

/** Checks what `npm pack` takes: the same files as those of the tarball, whose documents are read where they are. */
async function checkTarball(): Promise<string[]> {
  const packed = await tarball();
  const { stdout } = await promisify(execFile)("tar", ["-tzf", packed], { maxBuffer: 64 * 1024 * 1024 });
  const files = stdout.split("\n").flatMap((line) => (line === "" ? [] : line.slice("package/".length)));
  const maps = files.filter((path) => path.endsWith(".map"));
  if (maps.length > 0) throw new Error(`The package has source maps: ${maps.join(", ")}`);
  const bytes = (await stat(packed)).size;
  if (bytes > MOST_PACKED) throw new Error(`The tarball has ${bytes} bytes; at most ${MOST_PACKED} are good.`);
  const broken = await findBrokenPackageLinks(root, files);
  if (broken.length > 0) throw new Error(`These links of the package lead nowhere:\n${broken.join("\n")}`);
  return [`The tarball has ${bytes} bytes in ${files.length} files`];
}

async function checkNotices(): Promise<string[]> {
  const dist = join(root, "dist");
  const maps = (await readdir(dist)).filter((file) => file.endsWith(".js.map"));
  const packages = await Promise.all(maps.map(async (file) => packagesOf(await readFile(join(dist, file), "utf8"))));
  const missing = missingIn(await readFile(join(dist, NOTICES_FILE), "utf8"), packages.flat(), []);
  if (missing.length > 0) throw new Error(`${NOTICES_FILE} has no notice of ${missing.join(", ")}.`);
  return [`built in: ${[...new Set(packages.flat())].join(", ")}`];
}

async function install(): Promise<string[]> {
  await cp(join(root, "test/packaging/consumer"), consumer, { recursive: true });
  await writeFile(join(consumer, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", await tarball()], consumer);
  const { peerDependencies } = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  const present = await readdir(join(consumer, "node_modules"));
  const peers = Object.keys(peerDependencies).filter((peer) => present.includes(peer));
  if (peers.length > 0)
    throw new Error(`These peers are optional and were installed all the same: ${peers.join(", ")}`);
  return [await countPackages()];
}

async function countPackages(): Promise<string> {
  const { packages } = JSON.parse(await readFile(join(consumer, "node_modules/.package-lock.json"), "utf8"));
  const others = Object.keys(packages).filter((path) => path !== "node_modules/octavo");
  if (others.length > MOST_PACKAGES)
    throw new Error(`${others.length} packages come along, at most ${MOST_PACKAGES} may: ${others.join(", ")}`);
  return `${others.length} packages come along`;
}

/** A project that knows no Node. Of declarations only ours and what they need are checked: those of the DOM take longer than
 * all the rest. */
const everywhere = { lib: ["ES2022", "DOM"], types: [], skipDefaultLibCheck: true };

/** The consumer's own programs are compiled here and run by a later step. */
async function compile(): Promise<void> {
  const strict = { strict: true, target: "ES2022", module: "NodeNext", outDir: "out", rootDir: "." };
  const exact = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, verbatimModuleSyntax: true };
  const node = { lib: ["ES2022"], types: ["node"], typeRoots: [join(root, "node_modules/@types")], skipLibCheck: true };
  const projects = [
    {
      name: "everywhere.json",
      options: everywhere,
      files: [
        "core.ts",
        "calls.ts",
        "client.ts",
        "adapter.ts",
        "level.ts",
        "r2.ts",
        "postgres.ts",
        "durable-objects.ts",
        "pdf.ts",
        "sandbox.ts",
        "translators.ts",
        "storage-tools.ts",
      ],
    },
    { name: "node.json", options: node, files: ["node.ts", "s3.ts"] },
  ];
  await Promise.all(
    projects.map(async ({ name, options, files }) => {
      const config = { compilerOptions: { ...strict, ...exact, ...options }, files };
      await writeFile(join(consumer, name), JSON.stringify(config));
      await run("tsc", ["--project", name], consumer);
    }),
  );
}

async function checkDeclarations(): Promise<string[]> {
  const files = await declarationsOf(pathToFileURL(join(installed, "dist/index.d.ts")));
  const packages = packagesIn(files.values());
  if (packages.length > 0) throw new Error(`The types of the core need other packages: ${packages.join(", ")}`);
  const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return [told(compareDeclarations(bytes))];
}

/** Beside a project that is empty, so that what the compiler needs for itself does not count, nor for its own libraries. */
async function checkChecking(): Promise<string[]> {
  const options = { ...everywhere, strict: true, target: "ES2022", module: "NodeNext", noEmit: true };
  const secondsOf = async (name: string, code: string) => {
    await writeFile(join(consumer, `${name}.ts`), code);
    const config = JSON.stringify({ compilerOptions: options, files: [`${name}.ts`] });
    await writeFile(join(consumer, `${name}.json`), config);
    return checkingSeconds(join(consumer, `${name}.json`));
  };
  const without = await secondsOf("without", "export {};");
  return [told(compareChecking((await secondsOf("importing", 'export * from "octavo";')) - without))];
}

function told({ isTooMuch, says }: { readonly isTooMuch: boolean; readonly says: string }): string {
  if (isTooMuch) throw new Error(says);
  return says;
}

async function open(): Promise<void> {
  const everywhere = [
    "core.js",
    "client.js",
    "adapter.js",
    "level.js",
    "r2.js",
    "postgres.js",
    "durable-objects.js",
    "pdf.js",
    "sandbox.js",
    "translators.js",
    "storage-tools.js",
  ];
  await Promise.all(
    [...everywhere, "node.js", "s3.js"].map((program) => run("node", [join("out", program)], consumer)),
  );
}

/** As `npx octavo` would, where no optional peer is installed. */
async function checkProgram(): Promise<string[]> {
  const program = join(consumer, "node_modules", ".bin", "octavo");
  await run(program, ["--version"], consumer);
  await run(program, ["doctor", "--port", "49151"], consumer);
  const atOnce = await withImports(pathToFileURL(join(installed, "dist/cli.js")), "at once");
  const bytes = [...atOnce.values()].reduce((sum, code) => sum + Buffer.byteLength(code), 0);
  if (bytes > MOST_FOR_HELP) throw new Error(`octavo --help loads ${bytes} bytes; at most ${MOST_FOR_HELP} are good.`);
  return [`octavo --help loads ${bytes} bytes`];
}

async function checkPortable(): Promise<void> {
  const found: string[] = [];
  for (const [entry, { name }] of Object.entries(measured)) {
    const files = await withImports(pathToFileURL(join(root, `dist/${entry}.js`)));
    found.push(...[...files].flatMap(([href, code]) => unportable(href.slice(href.lastIndexOf("/") + 1), code)));
    const inOneFile = await bundle(join(root, `dist/${entry}.js`), join(work, "bundle", entry));
    found.push(...unportable(`The ${name}, bundled with its dependencies,`, inOneFile));
  }
  if (found.length > 0) throw new Error(found.join("\n"));
}

async function checkSizes(): Promise<string[]> {
  const said: string[] = [];
  const recorded = JSON.parse(await readFile(sizeFile, "utf8")) as Record<string, number>;
  const accepts = process.argv.includes("--accept-size");
  for (const [entry, part] of Object.entries(measured)) {
    const bytes = gzipBytes(await startingCode(join(root, `dist/${entry}.js`), join(work, "split", entry)));
    if (accepts && bytes <= part.most) recorded[part.name] = bytes;
    said.push(told(compareSize(part, bytes, recorded[part.name]!)));
  }
  if (accepts) await writeFile(sizeFile, `${JSON.stringify(recorded, null, 2)}\n`);
  return said;
}

async function take(name: string, step: Step): Promise<void> {
  const began = performance.now();
  const said = (await step()) ?? [];
  console.log(`✓ ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  for (const line of said) console.log(`  ${line}`);
}

await mkdir(consumer);
try {
  for (const stage of stages) {
    const taken = await Promise.allSettled(Object.entries(stage).map(([name, step]) => take(name, step)));
    const wrong = taken.flatMap((it) => (it.status === "rejected" ? [(it.reason as Error).message] : []));
    if (wrong.length > 0) throw new Error(wrong.join("\n"));
  }
} catch (error) {
  console.error(`✗ ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  await rm(work, { recursive: true, force: true });
}

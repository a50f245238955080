// Every recipe in an empty project with the packed tarball and what it needs beside it, installed by npm: checked by the
// compiler, bundled by the framework's own tool, started, and walked through the scenario. It prints what it runs.

import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lastingFolder } from "../../support/run-folder";
import { bun, deno } from "../runtimes/binaries";
import { ADMIN_TOKEN, root, SECRET, serve } from "../runtimes/project";
import { walk, walkOverARestart } from "../runtimes/scenario";
import { readCommandBlocks, readGuides, runCommandBlocks } from "./document-commands";
import { frameworks } from "./frameworks";

let work: string;
let tarball: string;

beforeAll(async () => {
  work = await mkdtemp(join(lastingFolder(), "octavo-recipes-"));
  await run(root, "npx", ["tsup", "--silent"]);
  await run(root, "npm", ["pack", "--ignore-scripts", "--pack-destination", work]);
  tarball = join(work, (await readdir(work)).find((name) => name.endsWith(".tgz"))!);
});
afterAll(() => rm(work, { recursive: true, force: true }));

/** Runs a command as a person would, and prints it with the end of what it says. */
async function run(cwd: string, command: string, args: readonly string[]): Promise<void> {
  console.log(`$ ${[command, ...args].join(" ").replaceAll(`${work}/`, "")}`);
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", WRANGLER_SEND_METRICS: "false", CI: "1" };
  const told = await promisify(execFile)(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }).catch(
    (cause: Error & { readonly stdout?: string; readonly stderr?: string }) => {
      throw new Error([cause.message, cause.stdout, cause.stderr].join("\n"), { cause });
    },
  );
  const lines = told.stdout.trim().split("\n").slice(-6);
  if (lines[0] !== "") console.log(lines.map((line) => `  ${line}`).join("\n"));
}

/** A new project with the tarball, these packages and these examples, by where they come to stand. */
async function projectOf(packages: readonly string[], examples: Readonly<Record<string, string>>): Promise<string> {
  const path = await mkdtemp(join(work, "project-"));
  await writeFile(join(path, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await run(path, "npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--silent", tarball, ...packages]);
  for (const [to, from] of Object.entries(examples))
    await cp(join(root, "examples", from), join(path, to), { recursive: true });
  return path;
}

/** Starts a server, walks it through the scenario, and stops it. */
async function tried(path: string, args: (port: number) => readonly string[], credentials?: Record<string, string>) {
  const { origin, stop } = await serve(path, process.execPath, args, "/docs-api/v1/");
  await walk(`${origin}/docs-api`, credentials);
  console.log(`  answers at /docs-api, walked through the scenario`);
  await stop();
}

const strict = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "esnext"];
const types = [...strict, "--moduleResolution", "bundler"];

describe("single-file recipes", () => {
  let path: string;
  const others = ["sessions.ts", "second-person.ts", "sign-in.ts", "bun.ts", "deno.ts"];
  beforeAll(async () => {
    const files = ["docs.ts", ...others, ...frameworks.map(({ file }) => file)];
    const packages = [...new Set(frameworks.flatMap((it) => it.packages))];
    const tools = ["esbuild", "typescript@5", "@types/node@20", "@types/express", "@types/koa"];
    path = await projectOf(["level", ...packages, ...tools], Object.fromEntries(files.map((file) => [file, file])));
  });

  test("the single-file recipes compile strictly", async () => {
    await run(path, "npx", ["tsc", ...types, ...others, ...frameworks.map(({ file }) => file)]);
  });

  test.each(frameworks)("the recipe for $name runs from the tarball", async ({ file, credentials }) => {
    const built = `built/${file.replace(/ts$/, "js")}`;
    const bundling = ["--bundle", "--platform=node", "--format=esm", "--packages=external", "--log-level=warning"];
    await run(path, "npx", ["esbuild", file, ...bundling, `--outfile=${built}`]);
    await tried(path, () => [built], credentials);
  });

  test("the recipe runs in Bun", () => walkOverARestart(() => serve(path, bun, () => ["bun.ts"])));

  test("the recipe runs in Deno", async () => {
    const rights = ["--allow-env", "--allow-sys", "--allow-ffi", "--allow-read", "--allow-write"];
    const alone = ["--no-remote", "--cached-only", "--node-modules-dir=manual"];
    const args = (port: number) => ["serve", ...alone, ...rights, "--host=127.0.0.1", `--port=${port}`, "deno.ts"];
    await walkOverARestart(() => serve(path, deno, args));
  });

  test("the client alone can be bundled for a browser", async () => {
    await writeFile(join(path, "page.ts"), 'export { createClient } from "octavo/client";');
    await run(path, "npx", ["esbuild", "page.ts", "--bundle", "--minify", "--format=esm", "--outfile=built/page.js"]);
    expect((await readFile(join(path, "built/page.js"))).length).toBeLessThan(32 * 1024);
  });
});

test("every command of the README and of the guides works with the tarball", async () => {
  const readme = readCommandBlocks("README.md", await readFile(join(root, "README.md"), "utf8"));
  const guides = (await readGuides()).flatMap(([name, text]) => readCommandBlocks(name, text));
  for (const blocks of [readme, guides]) {
    const { output, error } = await runCommandBlocks(await projectOf(["level"], {}), blocks);
    console.log(output);
    expect(error).toBeUndefined();
  }
});

test("the recipe builds with Nitro", async () => {
  const path = await projectOf(["level", "nitro@3"], { ".": "nitro", "docs.ts": "docs.ts" });
  await run(path, "npx", ["nitro", "build"]);
  await tried(path, () => [".output/server/index.mjs"]);
});

test("the recipe builds with Next and LevelDB", async () => {
  const tools = ["typescript@5", "@types/node@20", "@types/react@19"];
  const packages = ["level", "next@16", "react@19", "react-dom@19", ...tools];
  const path = await projectOf(packages, { ".": "next", "docs.ts": "docs.ts" });
  await run(path, "npx", ["next", "build"]);
  await tried(path, (port) => ["node_modules/next/dist/bin/next", "start", "-p", String(port), "-H", "127.0.0.1"]);
});

test("the recipe builds with SvelteKit", async () => {
  const kit = ["@sveltejs/kit@2", "@sveltejs/adapter-node@5", "@sveltejs/vite-plugin-svelte@6", "svelte@5", "vite@7"];
  const path = await projectOf(["level", ...kit], { ".": "sveltekit", "src/lib/docs.ts": "docs.ts" });
  await run(path, "npx", ["vite", "build"]);
  await tried(path, () => ["build/index.js"]);
});

test("the recipe builds as a Worker with wrangler, without `nodejs_compat`", async () => {
  const path = await projectOf(["wrangler@4", "typescript@5"], { ".": "worker" });
  await cp(join(root, "test/adapters/durable-objects/cloudflare-workers.d.ts"), join(path, "cloudflare-workers.d.ts"));
  await run(path, "npx", ["tsc", ...types, "--lib", "es2022,dom", "cloudflare-workers.d.ts", "index.ts"]);
  expect(await readFile(join(path, "wrangler.json"), "utf8")).not.toContain("nodejs_compat");
  await run(path, "npx", ["wrangler", "deploy", "--dry-run", "--outdir", "built"]);
  await writeFile(join(path, ".dev.vars"), `SECRET="${SECRET}"\nADMIN_TOKEN="${ADMIN_TOKEN}"\n`);
  const cli = "node_modules/wrangler/bin/wrangler.js";
  const { origin, stop } = await serve(path, process.execPath, (port) => [
    ...[cli, "dev", "--ip", "127.0.0.1", "--port", String(port), "--var", `ORIGIN:http://127.0.0.1:${port}`],
  ]);
  await walk(origin);
  console.log("  answers at /, walked through the scenario");
  await stop();
});

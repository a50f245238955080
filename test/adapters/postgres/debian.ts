// Debian's PostgreSQL: the one that is installed, else its packages, unpacked into a temporary folder that later runs find
// again. Nothing is installed, and root is not needed.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { env, platform } from "node:process";
import { promisify } from "node:util";
import { lastingFolder } from "../../support/run-folder";

const run = promisify(execFile);

/** The programs of a PostgreSQL. */
export interface Programs {
  readonly bin: string;
  /** What its processes need to find their libraries. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The programs, or the reason why there are none. Where `CI` is set, that is a failure: nobody would miss the proof. */
export async function postgresPrograms(): Promise<Programs | { readonly leftOut: string }> {
  const installed = await installedIn("/");
  if (installed) return installed;
  const leftOut = await unpacked().catch(
    (error: { stderr?: string; message: string }) =>
      `PostgreSQL is not installed (apt-get install postgresql), and Debian's packages could not be unpacked: ${lastLine(error.stderr || error.message)}`,
  );
  if (typeof leftOut !== "string") return leftOut;
  if (env.CI) throw new Error(`There is no PostgreSQL to test with: ${leftOut}.`);
  return { leftOut };
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)!;
}

/** The newest that lies under a root. */
async function installedIn(root: string): Promise<Programs | undefined> {
  const folder = join(root, "usr/lib/postgresql");
  const versions = await readdir(folder).catch(() => []);
  const newest = versions
    .sort((a, b) => Number(b) - Number(a))
    .find((it) => existsSync(join(folder, it, "bin/initdb")));
  return newest === undefined ? undefined : { bin: join(folder, newest, "bin"), environment: {} };
}

/** Downloads and unpacks the packages that are missing here. */
export async function unpacked(): Promise<Programs> {
  const depends = await run("apt-cache", ["depends", "postgresql"]).catch(() => ({ stdout: "" }));
  const name = depends.stdout.match(/Depends: (postgresql-\d+)/)?.[1] ?? "postgresql";
  const { folder, environment } = await unpackedPackage(name);
  const found = await installedIn(folder);
  if (!found) throw new Error(`the package ${name} has no initdb`);
  return { ...found, environment };
}

/** A package of Debian with what it needs and is missing here, and what its processes need to find their libraries. */
export async function unpackedPackage(name: string): Promise<{ folder: string; environment: Programs["environment"] }> {
  if (platform !== "linux" || !existsSync("/etc/debian_version")) throw new Error("this is not Debian");
  const shown = await run("apt-cache", ["show", "--no-all-versions", name]).catch(() => ({ stdout: "" }));
  const version = shown.stdout.match(/^Version: (\S+)/m)?.[1]?.replace(/[^\w.]/g, "-");
  if (version === undefined) throw new Error(`apt-cache knows no package ${name}; run apt-get update`);
  const folder = join(lastingFolder(), `octavo-${name}-${version}`);
  if (!existsSync(folder)) await unpackInto(folder, name);
  const libraries = await run("find", [folder, "-name", "*.so.*", "-printf", "%h\\n"], { maxBuffer: 2 ** 26 });
  const paths = [...new Set(libraries.stdout.trim().split("\n"))].join(":");
  return { folder, environment: paths === "" ? {} : { LD_LIBRARY_PATH: paths } };
}

async function unpackInto(folder: string, name: string): Promise<void> {
  const working = await mkdtemp(`${folder}-`);
  await run("chmod", ["755", working]);
  const listed = await run("apt-get", ["install", "--simulate", "-y", "--no-install-recommends", name]);
  const missing = [...listed.stdout.matchAll(/^Inst (\S+)/gm)].map(([, it]) => it!);
  await mkdir(join(working, "debs"));
  await run("apt-get", ["download", ...new Set([name, ...missing])], { cwd: join(working, "debs") });
  for (const file of await readdir(join(working, "debs")))
    await run("dpkg-deb", ["-x", join(working, "debs", file), working]);
  await rm(join(working, "debs"), { recursive: true });
  // Another run may have been faster.
  await rename(working, folder).catch(() => rm(working, { recursive: true, force: true }));
}

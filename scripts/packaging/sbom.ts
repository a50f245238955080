// The bill of materials of the package, as CycloneDX: what a host installs with it, and what is built into it.

import { readFile } from "node:fs/promises";
import { builtIn } from "./notices";

const root = new URL("../../", import.meta.url);

/** The name of the file with the bill of materials, in the built package. */
export const SBOM_FILE = "sbom.cdx.json";

/** A package of the lock file. */
interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

type Lock = Readonly<Record<string, Locked>>;

/** Returns the bill of materials. It has no date and no serial number, so the same packages give the same bytes. */
export async function createSbom(): Promise<string> {
  const read = async (path: string) => JSON.parse(await readFile(new URL(path, root), "utf8"));
  const [{ name, version, license }, { packages }] = await Promise.all([
    read("package.json"),
    read("package-lock.json"),
  ]);
  const drawn = builtIn.filter((it) => it.drawn).map((it) => [`node_modules/${it.name}`, it.drawn!] as const);
  const lock: Lock = { ...packages, ...Object.fromEntries(drawn) };
  const installed = Object.keys(packages).filter((path) => path !== "" && isInstalled(packages[path]));
  const bundled = builtIn.map((it) => `node_modules/${it.name}`).filter((path) => !installed.includes(path));
  const paths = [...installed, ...bundled].sort();
  const own = refOf(name, version);
  const bill = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        ...{ "bom-ref": own, type: "library", name, version, purl: own },
        licenses: [{ license: { id: license } }],
      },
    },
    components: paths.map((path) => componentOf(path, locked(lock, path), bundled.includes(path))),
    dependencies: [
      { ref: own, dependsOn: [...directOf(lock), ...bundled].map((path) => refAt(lock, path)).sort() },
      ...installed.map((path) => ({ ref: refAt(lock, path), dependsOn: neededBy(lock, path) })),
    ],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

const isInstalled = (it: Locked) => !it.dev && !it.optional && !it.devOptional && !it.peer;

function locked(lock: Lock, path: string): Locked {
  const found = lock[path];
  if (!found) throw new Error(`No lock file has ${path}, which is built into the package.`);
  return found;
}

const nameAt = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
const refOf = (name: string, version: string) => `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
const refAt = (lock: Lock, path: string) => refOf(nameAt(path), locked(lock, path).version);
const directOf = (lock: Lock) => Object.keys(lock[""]?.dependencies ?? {}).map((name) => `node_modules/${name}`);

function componentOf(path: string, { version, integrity, license }: Locked, isBuiltIn: boolean) {
  const name = nameAt(path);
  const ref = refOf(name, version);
  const hash = /^sha512-(.*)$/.exec(integrity ?? "")?.[1];
  return {
    ...{ "bom-ref": ref, type: "library", name, version, purl: ref },
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(hash === undefined
      ? {}
      : { hashes: [{ alg: "SHA-512", content: Buffer.from(hash, "base64").toString("hex") }] }),
    ...(isBuiltIn ? { properties: [{ name: "octavo:builtIn", value: "true" }] } : {}),
  };
}

/** What a package needs, each from the nearest folder that has it, as Node looks for it. */
function neededBy(lock: Lock, path: string): string[] {
  const found = Object.keys(lock[path]?.dependencies ?? {}).map((name) => {
    for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
      const candidate = `${at === "" ? "" : `${at}/`}node_modules/${name}`;
      if (lock[candidate]) return refAt(lock, candidate);
      if (at === "") throw new Error(`No lock file has ${name}, which ${path} needs.`);
    }
  });
  return found.sort();
}

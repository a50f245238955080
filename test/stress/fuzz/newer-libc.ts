// Node on the C library of a newer Debian, which is unpacked beside the fuzzer and installed nowhere. The fuzzer's native part
// is built for that one.

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { arch, execPath, platform } from "node:process";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";

const run = promisify(execFile);

const DEBIAN = "http://deb.debian.org/debian";
const SUITE = "trixie";
const PACKAGES = ["libc6", "libgcc-s1", "libstdc++6"];
const NAMES: Readonly<Record<string, { readonly debian: string; readonly libraries: string }>> = {
  x64: { debian: "amd64", libraries: "x86_64-linux-gnu" },
  arm64: { debian: "arm64", libraries: "aarch64-linux-gnu" },
};

/** The program and the arguments that start Node so. */
export async function nodeOnNewerLibc(folder: string): Promise<string[]> {
  const names = platform === "linux" ? NAMES[arch] : undefined;
  if (!names)
    throw new Error(`The fuzzer does not load here, and there is no other C library for ${platform} on ${arch}.`);
  if (!existsSync(folder)) await unpack(names.debian, folder);
  const libraries = join(folder, "usr/lib", names.libraries);
  const loader = arch === "x64" ? "ld-linux-x86-64.so.2" : "ld-linux-aarch64.so.1";
  return [join(libraries, loader), "--library-path", libraries, execPath];
}

async function unpack(debianArch: string, folder: string): Promise<void> {
  const beside = `${folder}.new`;
  await rm(beside, { recursive: true, force: true });
  await mkdir(beside, { recursive: true });
  const list = gunzipSync(await bytesAt(`dists/${SUITE}/main/binary-${debianArch}/Packages.gz`)).toString();
  for (const name of PACKAGES) {
    const about = list.split("\n\n").find((it) => it.startsWith(`Package: ${name}\n`));
    const path = about?.split("\n").find((line) => line.startsWith("Filename: "));
    if (!path) throw new Error(`Debian ${SUITE} lists no ${name}.`);
    const file = join(beside, "package.deb");
    await writeFile(file, await bytesAt(path.slice("Filename: ".length)));
    await run("dpkg-deb", ["-x", file, beside]);
    await rm(file);
  }
  await rename(beside, folder);
}

async function bytesAt(path: string): Promise<Uint8Array> {
  const response = await fetch(`${DEBIAN}/${path}`);
  if (!response.ok) throw new Error(`${response.url} answered with ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}

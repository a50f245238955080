// Ceph's packages on this machine: whether they are there, whether they could be, and how they get there.

import { execFile } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const commands = ["ceph", "ceph-mon", "ceph-osd", "monmaptool", "radosgw", "radosgw-admin", "setpriv"];
const packages = ["ceph-common", "ceph-mon", "ceph-osd", "radosgw"];

/** Why Ceph cannot run here, as the end of a sentence; undefined when it is installed or can be. */
export function whyNoCeph(): string | undefined {
  if (process.platform !== "linux") return `Ceph runs on Linux, and this is ${process.platform}`;
  if (isInstalled()) return undefined;
  if (!existsSync("/etc/debian_version")) return "Ceph is not installed, and this is not Debian, where it could be";
  if (process.getuid?.() !== 0) return "Ceph is not installed, and only root could install it";
  return undefined;
}

/** Installs what is missing. Throws what apt-get said when that fails. */
export async function installCeph(): Promise<void> {
  if (isInstalled()) return;
  const install = ["install", "--yes", "--no-install-recommends", ...packages];
  // A machine that never asked for the lists of packages, or long ago, has to ask first.
  await apt(install).catch(async () => {
    await apt(["update"]);
    await apt(install);
  });
}

function isInstalled(): boolean {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return commands.every((command) => folders.some((folder) => isExecutable(join(folder, command))));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Another apt-get may be at work: it is waited for. */
async function apt(args: string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await promisify(execFile)("apt-get", ["-o", "DPkg::Lock::Timeout=300", ...args], { env, maxBuffer: 2 ** 26 });
}

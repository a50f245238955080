// Inspects the machine: the version of Node, optional packages, the port, and outbound requests.

import { createServer } from "node:net";
import { guardedFetch } from "octavo/node";
import type { StorageSettings } from "../../connection/storage-settings";
import { type Diagnosis, report } from "./diagnosis";

const MIN_NODE_VERSION = [20, 19] as const;

export function inspectNodeVersion(version: string): Diagnosis {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const [minMajor, minMinor] = MIN_NODE_VERSION;
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return report.ok("Node", version);
  return report.failure("Node", `${version} is too old. Install ${MIN_NODE_VERSION.join(".")} or later.`);
}

/** Inspects the packages that are installed only if they are needed. */
export async function inspectPackages(settings: StorageSettings | undefined): Promise<Diagnosis[]> {
  // A bundler would resolve a literal name at build time.
  const importByName = (name: string): Promise<unknown> => import(name);
  const packages: [name: string, isNeeded: boolean, use: string, load: () => Promise<unknown>][] = [
    ["level", settings?.dataDir !== undefined, "LevelDB", () => import("octavo/level")],
    ["@aws-sdk/client-s3", settings?.s3 !== undefined, "buckets", () => import("octavo/s3")],
    [
      "pg",
      settings?.postgres !== undefined,
      "PostgreSQL",
      () => importByName("pg").catch(() => importByName("postgres")),
    ],
    ["fontkit", false, "custom fonts in PDF", () => importByName("fontkit")],
    ["nodemailer", false, "email through SMTP_URL", () => importByName("nodemailer")],
  ];
  return Promise.all(
    packages.map(async ([name, isNeeded, use, load]) => {
      const isInstalled = await load().then(
        () => true,
        () => false,
      );
      if (isInstalled) return report.ok(name, "installed");
      const says = `not installed, required for ${use}: npm install ${name}`;
      return isNeeded ? report.failure(name, says) : report.ok(name, says);
    }),
  );
}

export async function inspectPort(host: string, port: number): Promise<Diagnosis> {
  const server = createServer();
  const what = `port ${port}`;
  try {
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
    return report.ok(what, `free on ${host}`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE")
      return report.warning(what, `in use on ${host}. If this isn't your server, choose another port with --port.`);
    return report.failure(what, `not available on ${host}: ${message}.`);
  } finally {
    server.close();
  }
}

export async function inspectOutboundRequests(url: string): Promise<Diagnosis> {
  try {
    const response = await guardedFetch({ timeoutMs: 10_000 })(url, { method: "HEAD" });
    await response.body?.cancel();
    return report.ok("outbound", `${url} responded with ${response.status}`);
  } catch (error) {
    const cause =
      error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error);
    return report.warning("outbound", `${url} is unreachable, so imports and integrations will fail: ${cause}`);
  }
}

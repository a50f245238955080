// What the machine offers: the version of Node, packages, a port, and other hosts.

import { createServer } from "node:net";
import { guardedFetch } from "octavo/node";
import type { StorageSettings } from "../../connection/storage-settings";
import { type Diagnosis, fail, ok, warn } from "./diagnosis";

const LEAST = [20, 19] as const;

export function nodeVersion(version: string): Diagnosis {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const isEnough = major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1]);
  if (isEnough) return ok("Node", version);
  return fail("Node", `${version} is too old: install ${LEAST.join(".")} or newer.`);
}

/** Packages that are installed only where they are needed. */
export async function packages(settings: StorageSettings | undefined): Promise<Diagnosis[]> {
  const wanted: [name: string, isNeeded: boolean, use: string, load: () => Promise<unknown>][] = [
    ["level", settings?.dataDir !== undefined, "LevelDB", () => import("octavo/level")],
    ["@aws-sdk/client-s3", settings?.s3 !== undefined, "buckets", () => import("octavo/s3")],
    [
      "pg",
      settings?.postgres !== undefined,
      "PostgreSQL",
      () => import(named("pg")).catch(() => import(named("postgres"))),
    ],
    ["fontkit", false, "fonts of your own in PDF", () => import(named("fontkit"))],
  ];
  return Promise.all(
    wanted.map(async ([name, isNeeded, use, load]) => {
      const isThere = await load().then(
        () => true,
        () => false,
      );
      if (isThere) return ok(name, "installed");
      const says = `is not installed. It is needed for ${use}: npm install ${name}`;
      return isNeeded ? fail(name, says) : ok(name, says);
    }),
  );
}

/** A name that is looked up when the code runs. */
function named(name: string): string {
  return name;
}

export async function freePort(host: string, port: number): Promise<Diagnosis> {
  const server = createServer();
  const what = `port ${port}`;
  try {
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
    return ok(what, `free on ${host}`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE")
      return warn(what, `in use on ${host}: a server runs already, or choose another with --port.`);
    return fail(what, `cannot be used on ${host}: ${message}.`);
  } finally {
    server.close();
  }
}

export async function outbound(url: string): Promise<Diagnosis> {
  try {
    const response = await guardedFetch({ timeoutMs: 10_000 })(url, { method: "HEAD" });
    await response.body?.cancel();
    return ok("outbound", `${url} answers with ${response.status}`);
  } catch (error) {
    const cause =
      error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error);
    return warn("outbound", `${url} cannot be reached, so imports and integrations cannot either: ${cause}`);
  }
}

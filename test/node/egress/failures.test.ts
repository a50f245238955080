// A request that fails says why, whoever asked for it: against real sockets, through the guarded fetch and the platform's.

import { createServer as createTlsServer } from "node:https";
import { createServer, type LookupFunction } from "node:net";
import { guardedFetch } from "octavo/node";
import { describe, expect, test } from "vitest";
import { readRemote } from "../../../src/git/index";
import { download } from "../../../src/importers/download";
import { fetchDocument } from "../../../src/openapi/specifications";
import { describeFailedRequest } from "../../../src/utils/fetch-error";
import { docs, listen, serve } from "../servers";
import { redirectTo, site } from "./servers";

/** Made for this test, and trusted by nobody. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1EcgOog6TcK8EJTS
U2u/HsuwHb6JdrkCao3vRlua5kChRANCAARBoy7WLoPt6SZ756mcs0MS4iWFyhJ9
jfJzipulnQT8aQURGKVTWMNDvHgKq7yt7LMR9pac0Y0NP7c5OleJji0A
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBnjCCAUSgAwIBAgIULGcsoJQoQydub9D9hYt/Mz5FIlgwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMd2lraS5leGFtcGxlMCAXDTI2MTExNjAzMzcyMVoYDzIxMjYx
MDIzMDMzNzIxWjAXMRUwEwYDVQQDDAx3aWtpLmV4YW1wbGUwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAARBoy7WLoPt6SZ756mcs0MS4iWFyhJ9jfJzipulnQT8aQUR
GKVTWMNDvHgKq7yt7LMR9pac0Y0NP7c5OleJji0Ao2wwajAdBgNVHQ4EFgQUCYAK
eSgzMoJLFu8bWXKxlgGHsVYwHwYDVR0jBBgwFoAUCYAKeSgzMoJLFu8bWXKxlgGH
sVYwDwYDVR0TAQH/BAUwAwEB/zAXBgNVHREEEDAOggx3aWtpLmV4YW1wbGUwCgYI
KoZIzj0EAwIDSAAwRQIhAMfUjkhs49waq4eo9bxJgXJ//tWsmKwActPOlwxqcM50
AiBCdcOkg8xzbCM8C5n4+M5iltxEBIfWkJ43hIpgisv3XA==
-----END CERTIFICATE-----`;

interface Case {
  readonly url: string;
  readonly fetch: typeof fetch;
  /** What the guarded fetch says. */
  readonly says: string;
}

const at = (url: string, says: string, options = {}): Case => ({
  url,
  says,
  fetch: guardedFetch({ allow: [new URL(url).host], ...options }),
});

/** A resolver that fails as the system's does. */
const failing = (code: string): LookupFunction => {
  return (hostname, _options, callback) =>
    void setImmediate(callback, Object.assign(new Error(`getaddrinfo ${code} ${hostname} 10.9.8.7`), { code }), []);
};

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const cases: readonly (readonly [what: string, set: () => Promise<Case>])[] = [
  [
    "a name that is not found",
    async () =>
      at("http://wiki.example/", "The request to wiki.example failed: its name was not found.", {
        lookup: failing("ENOTFOUND"),
      }),
  ],
  [
    "a name that cannot be looked up",
    async () =>
      at("http://wiki.example/", "The request to wiki.example failed: its name could not be looked up.", {
        lookup: failing("EAI_AGAIN"),
      }),
  ],
  [
    "a connection that is refused",
    async () => {
      const host = `127.0.0.1:${await closedPort()}`;
      return at(`http://${host}/`, `The request to ${host} failed: it refused the connection.`);
    },
  ],
  [
    "a connection that is broken off",
    async () => {
      const server = createServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
      const host = `127.0.0.1:${await listen(server)}`;
      return at(`http://${host}/`, `The request to ${host} failed: it broke off the connection.`);
    },
  ],
  [
    "an address that is private",
    async () => {
      const { host } = await site((_, res) => res.end("secret"));
      const says = `The request to ${host} was refused: its address is loopback.`;
      return { url: `http://${host}/`, fetch: guardedFetch(), says };
    },
  ],
  [
    "an answer that does not come",
    async () => {
      const { host } = await site(() => {});
      const says = `The request to ${host} was refused: the beginning of its answer took longer than 50 ms.`;
      return at(`http://${host}/`, says, { firstByteMs: 50 });
    },
  ],
  [
    "a certificate that is signed by itself",
    async () => {
      const server = createTlsServer({ key: KEY, cert: CERTIFICATE }, (_, res) => res.end("hello"));
      const host = `127.0.0.1:${await listen(server)}`;
      return at(`https://${host}/`, `The request to ${host} failed: its TLS certificate is signed by itself.`);
    },
  ],
  [
    "a server without TLS",
    async () => {
      const { host } = await site((_, res) => res.end("hello"));
      return at(`https://${host}/`, `The request to ${host} failed: it does not speak TLS there.`);
    },
  ],
  [
    "too many redirects",
    async () => {
      const { host } = await site(redirectTo("/again"));
      const says = `The request to ${host} was refused: it redirects more than 2 times.`;
      return at(`http://${host}/`, says, { maxRedirects: 2 });
    },
  ],
];

describe.each(cases)("%s", (_, set) => {
  test("the guarded fetch reports the failure without an address that the caller did not type", async () => {
    const { url, fetch, says } = await set();
    const error = await fetch(url).then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    expect(error?.message).toBe(says);
    expect(JSON.stringify(says)).not.toContain("10.9.8.7");
  });

  test("inserting a file by its URL reports the failure to the caller", async () => {
    const { url, fetch, says } = await set();
    const { api, organization, authorization } = await docs({ fetch });
    const ask = async (path: string, body: object) => {
      const sent = { method: "POST", headers: { authorization, "content-type": "application/json" } };
      return (await api.fetch(new Request(`http://x${path}`, { ...sent, body: JSON.stringify(body) }))).json();
    };
    const space = await ask(`/v1/orgs/${organization}/spaces`, { title: "Docs" });
    const files = [{ name: "a.png", url }];
    const { error } = await ask(`/v1/spaces/${space.id}/content`, { changes: [{ operation: "insert_files", files }] });
    expect(error.reason).toBe("fetch_failed");
    const [issue] = error.issues;
    expect(issue.path).toBe("body.changes.0.files.0.url");
    expect(issue.message).toBe(
      says.includes("was refused") ? says : says.replace(/.* failed/, "The host could not be reached"),
    );
  });
});

test("imports, specifications and Git report a failure in the same words", async () => {
  const port = await closedPort();
  const url = `http://127.0.0.1:${port}/a.git`;
  const signal = AbortSignal.timeout(10_000);
  for (const reach of [fetch, guardedFetch({ allow: [`127.0.0.1:${port}`] })]) {
    const saying = async (asked: Promise<unknown>) => ((await asked.catch((error: Error) => error)) as Error).message;
    const why = "could not be reached: it refused the connection.";
    expect(await saying(download(url, reach))).toBe(`The address ${why} Nothing was imported.`);
    expect(await saying(fetchDocument({ fetch: reach, signal }, url))).toBe(`${url} ${why}`);
    const place = { url, ref: "refs/heads/main", fetch: reach };
    expect(await saying(readRemote(place))).toBe(`127.0.0.1:${port} ${why}`);
  }
});

test("the error names the status of the other host", async () => {
  const origin = await serve((_, res) => res.writeHead(418).end());
  await expect(download(origin, fetch)).rejects.toThrow("The URL returned the status 418");
});

test("an unknown error reveals no details", () => {
  const error = new TypeError("connect to 10.0.0.7:5432 by the proxy corp-gw", { cause: { code: "ESTRANGE" } });
  expect(describeFailedRequest("The host", error)).toBe("The host could not be reached.");
  const round: { cause?: unknown } = {};
  round.cause = round;
  expect(describeFailedRequest("The host", round)).toBe("The host could not be reached.");
  expect(describeFailedRequest("The host", { code: "constructor" })).toBe("The host could not be reached.");
});

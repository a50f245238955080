// Servers that are down, slow, moved or not Git servers, and the guarded fetch.

import type { IncomingMessage, ServerResponse } from "node:http";
import { guardedFetch } from "octavo/node";
import { describe, expect, test } from "vitest";
import { pushRemote, readRemote } from "../../src/git/index";
import { serve } from "../node/servers";
import { refusal } from "./refusals";
import { at, Repository } from "./repositories";
import { AUTH, type GitServer, gitServer, whyNoGit } from "./server";

if (whyNoGit) console.log(`Failures of a real Git server were left out: ${whyNoGit}.`);

type Answer = (req: IncomingMessage, res: ServerResponse) => void;

const to = (origin: string) => ({ fetch, url: `${origin}/one.git`, ref: "refs/heads/main", auth: AUTH });
const about = { parent: undefined, message: "m", author: { name: "n", email: "e" }, authoredAt: new Date(0) };
const push = { ...about, changes: [{ path: "a.md", bytes: new Uint8Array([1]) }] };

describe("failing servers", () => {
  const status =
    (code: number, type = "text/html") =>
    (_: IncomingMessage, res: ServerResponse) =>
      void res.writeHead(code, { "content-type": type }).end("<h1>Hello</h1>");
  const rows: readonly (readonly [what: string, answer: Answer, reason: string])[] = [
    ["a website", status(200), "not_git"],
    ["files behind a web server", status(200, "text/plain"), "not_git"],
    ["a website that calls itself one", status(200, "application/x-git-upload-pack-advertisement"), "damaged"],
    ["a page that asks to sign in", status(203), "unauthorized"],
    ["one that forbids it", status(403), "unauthorized"],
    ["one that has nothing there", status(404), "not_found"],
    ["one that is gone", status(410), "not_found"],
    ["one that is busy", status(429), "unreachable"],
    ["one that is broken", status(500), "unreachable"],
    ["one that is being repaired", status(503), "unreachable"],
    ["a teapot", status(418), "not_git"],
    [
      "one that says nothing",
      (_, res) => void res.writeHead(200, { "content-type": "application/x-git-upload-pack-advertisement" }).end(),
      "damaged",
    ],
    ["one that hangs up", (req) => void req.socket.destroy(), "unreachable"],
  ];

  test.each(rows)("a server that answers with %s is refused with its reason", async (_, answer, reason) => {
    const origin = await serve(answer);
    expect((await refusal(readRemote(to(origin)))).reason).toBe(reason);
    const pushed = (await refusal(pushRemote({ ...to(origin), ...push }))).reason;
    expect(pushed).toBe(reason);
  });

  test("a server that does not exist is unreachable", async () => {
    expect((await refusal(readRemote(to("http://127.0.0.1:1")))).reason).toBe("unreachable");
  });

  test("a server that never answers is unreachable when the caller's time limit ends", async () => {
    const controller = new AbortController();
    const origin = await serve(() => controller.abort());
    expect((await refusal(readRemote({ ...to(origin), signal: controller.signal }))).reason).toBe("timeout");
  });

  test("a server that never answers is unreachable when the time limit of the guarded fetch ends", async () => {
    const origin = await serve(() => {});
    const patient = guardedFetch({ allow: [new URL(origin).host], timeoutMs: 50 });
    expect((await refusal(readRemote({ ...to(origin), fetch: patient }))).reason).toBe("timeout");
  });
});

/** A repository with one file, on a server that answers some requests itself. */
async function withAnswer(answer: (req: IncomingMessage, res: ServerResponse) => boolean) {
  let isOn = false;
  const server = await gitServer({ before: (req, res) => isOn && answer(req, res) });
  const repository = await Repository.on(server);
  await repository.commit({ "a.md": "a" });
  isOn = true;
  return repository;
}

describe.skipIf(whyNoGit)("servers that die", () => {
  test("a server that dies while it sends a pack is unreachable", async () => {
    let posts = 0;
    const repository = await withAnswer((req, res) => {
      if (req.method !== "POST" || ++posts < 2) return false;
      res.writeHead(200, { "content-type": "application/x-git-upload-pack-result", "content-length": "5000" });
      res.write("0008NAK\n0100\x01PACK", () => res.destroy());
      return true;
    });
    expect((await refusal(readRemote(at(repository)))).reason).toBe("unreachable");
  });

  test("a server that dies during a push is unreachable, and the push can be repeated", async () => {
    let isDown = true;
    const repository = await withAnswer((req, res) => {
      if (!isDown || !req.url?.endsWith("/git-receive-pack")) return false;
      req.on("data", () => res.destroy());
      return true;
    });
    const { commit, state } = await readRemote(at(repository));
    const again = { ...at(repository), ...push, parent: commit.oid, knownState: state };
    expect((await refusal(pushRemote(again))).reason).toBe("unreachable");
    isDown = false;
    expect(await pushRemote(again)).toMatchObject({ oid: await repository.tip() });
    expect(await repository.git("rev-list", "--count", "main")).toBe("2");
  });
});

describe.skipIf(whyNoGit)("S4: redirects", () => {
  const led =
    (where: (req: IncomingMessage) => string, code = 301): Answer =>
    (req, res) =>
      void res.writeHead(code, { location: where(req) }).end();

  async function moved(server: GitServer) {
    const repository = await Repository.on(server);
    await repository.commit({ "a.md": "a" });
    return repository;
  }

  test("a redirect to another path of the server is followed with the password, and pushes go there too", async () => {
    const server = await gitServer({
      before: (req, res) => {
        if (!req.url?.startsWith("/old/")) return false;
        led(({ url }) => url!.replace("/old/", "/"))(req, res);
        return true;
      },
    });
    const repository = await moved(server);
    const old = { ...at(repository), url: repository.url.replace("/one.git", "/old/one.git") };
    const { commit, state, files } = await readRemote(old);
    expect(files).toHaveLength(1);
    const pushed = await pushRemote({ ...old, ...push, parent: commit.oid, knownState: state });
    expect(pushed).toMatchObject({ oid: await repository.tip() });
  });

  test("a redirect to another server is followed without the password", async () => {
    const heard: (string | undefined)[] = [];
    const server = await gitServer({ isOpen: true, before: (req) => heard.push(req.headers.authorization) < 0 });
    await moved(server);
    const origin = await serve(led(({ url }) => `${server.origin}${url}`));
    for (const guarded of [fetch, guardedFetch({ allow: [new URL(origin).host, new URL(server.origin).host] })])
      expect((await readRemote({ ...to(origin), fetch: guarded })).files).toHaveLength(1);
    expect(heard.length).toBeGreaterThan(5);
    expect(heard.filter((header) => header !== undefined)).toEqual([]);
  });

  test("a redirect to a forbidden address is refused", async () => {
    const targets = [
      "file:///etc/passwd",
      "http://169.254.169.254/one.git",
      "http://127.0.0.1:1/x",
      "ext::sh -c id",
      "ssh://host/a",
    ];
    for (const target of targets) {
      const origin = await serve(led(() => target));
      const guarded = guardedFetch({ allow: [new URL(origin).host] });
      expect((await refusal(readRemote({ ...to(origin), fetch: guarded }))).reason).toBe("unreachable");
    }
  });

  test("a redirect loop is refused", async () => {
    const origin = await serve(led(({ url }) => url!));
    const guarded = guardedFetch({ allow: [new URL(origin).host] });
    expect((await refusal(readRemote({ ...to(origin), fetch: guarded }))).reason).toBe("unreachable");
  });

  test("a redirect to a sign-in page is not a Git server", async () => {
    const origin = await serve((req, res) => {
      if (req.url === "/login") res.writeHead(200, { "content-type": "application/x-git-evil" }).end("0000");
      else led(() => "/login", 302)(req, res);
    });
    expect((await refusal(readRemote(to(origin)))).reason).toBe("not_git");
  });

  test("S1: the error for a forbidden first address does not reveal the address behind the name", async () => {
    const origin = await serve(() => {});
    const refused = await refusal(readRemote({ ...to(origin), fetch: guardedFetch() }));
    expect(refused).toMatchObject({ reason: "unreachable", message: expect.stringContaining("refused") });
  });

  test("a repository is read and pushed through the guarded fetch as through any other", async () => {
    const server = await gitServer();
    const repository = await moved(server);
    const guarded = guardedFetch({ allow: [new URL(server.origin).host] });
    const { commit, state } = await readRemote({ ...at(repository), fetch: guarded });
    const pushed = await pushRemote({
      ...at(repository),
      ...push,
      fetch: guarded,
      parent: commit.oid,
      knownState: state,
    });
    expect(pushed).toMatchObject({ oid: await repository.tip() });
  });
});

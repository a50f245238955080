// Git synchronization in the hands of people who mean harm, and of servers that do.

import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { client, remote } from "../resources/content/git-sync-remote";
import { dump, forgetSecret, HOUR, open, setUp } from "../support/setting";

const SECRET = "s3cret-of-ada";
const url = `https://ada:${SECRET}@git.example/acme/docs.git`;

async function started(options: Parameters<typeof setUp>[1] = {}) {
  remote.reset({ "README.md": "# Home\n" });
  const errors: unknown[] = [];
  const events: unknown[] = [];
  const setting = await setUp(memoryStorage(), {
    fetch: async () => new Response(null, { status: 404 }),
    git: { client },
    onError: (error) => errors.push(error),
    onEvent: (event) => void events.push(event),
    ...options,
  });
  const space = (await setting.ask("create", `POST /v1/orgs/${setting.org}/spaces`, { title: "Docs" })).body.id;
  const ask = (route: string, send?: unknown) => setting.ask("create", route.replace("~", `/v1/spaces/${space}`), send);
  return { ...setting, space, ask, errors, events };
}

/** Everything that an error says of itself. */
function said(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.message} ${error.stack} ${JSON.stringify(error)} ${said(error.cause ?? "")}`;
}

describe("S31: repository credentials", () => {
  test("S31: repository credentials are in no record, response, event or error, during a request and after it", async () => {
    const { ask, storage, errors, events, clock, api } = await started();
    remote.down();
    await ask("POST ~/git/import", { url, ref: "refs/heads/main" });
    const looked = async () => {
      const answers = [
        await ask("GET ~/git/info"),
        await ask("GET ~"),
        await ask("GET ~/content"),
        await ask("GET ~/revisions"),
      ];
      return [
        ...answers.map(({ body }) => JSON.stringify(body)),
        ...(await dump(storage)).values(),
        JSON.stringify(events),
        ...errors.map(said),
      ].join("\n");
    };
    for (const wait of [0, HOUR, HOUR]) {
      clock.forward(wait);
      await api.maintain();
      const all = await looked();
      expect(all).not.toContain(SECRET);
      expect(all).not.toContain(btoa(`ada:${SECRET}`));
    }
    expect((await ask("GET ~/git/info")).body).toMatchObject({ waiting: 1 });
    expect(errors.length).toBeGreaterThan(0);
    remote.up();
    clock.forward(HOUR);
    await api.maintain();
    expect((await ask("GET ~/git/info")).body).toMatchObject({ waiting: 0 });
    expect(await looked()).not.toContain(SECRET);
  });

  test("S31: repository credentials are encrypted for their space with the secret of the server", async () => {
    const { storage, ask, clock } = await started();
    remote.down();
    await ask("POST ~/git/import", { url, ref: "refs/heads/main" });
    remote.up();
    await forgetSecret(storage);
    const other = open(storage, {
      secret: "another secret of more than thirty-two characters",
      fetch: async () => new Response(null, { status: 404 }),
      git: { client },
    });
    other.clock.now = new Date(clock.now.getTime() + HOUR);
    await other.api.maintain();
    expect((await ask("GET ~/git/info")).body.lastRun).toMatchObject({
      status: "failed",
      error: expect.stringContaining("secret of the server has changed"),
    });
  });

  test("S31: repository credentials are not repeated when the address is rejected", async () => {
    const { ask } = await started();
    for (const bad of [
      `http://ada:${SECRET}@git.example/x`,
      `ssh://ada:${SECRET}@git.example/x`,
      `https://ada:${SECRET}@`,
    ]) {
      const { status, body } = await ask("POST ~/git/import", { url: bad, ref: "refs/heads/main" });
      expect(status).toBe(400);
      expect(JSON.stringify(body)).not.toContain(SECRET);
    }
  });
});

describe("S35: protocols", () => {
  test.each([
    "ext::sh -c touch% /tmp/x",
    "file:///etc/passwd",
    "/etc/passwd",
    "git://git.example/x.git",
    "ssh://git.example/x.git",
    "git@git.example:x.git",
    "http://git.example/x.git",
    "--upload-pack=touch /tmp/x",
  ])("S35: %s is rejected", async (bad) => {
    const { ask } = await started();
    for (const direction of ["import", "export"])
      expect(
        await ask(`POST ~/git/${direction}`, { url: bad, ref: "refs/heads/main", commitMessage: "x" }).then(
          (it) => it.status,
        ),
      ).toBe(400);
  });

  test("S35: plain http is used only for hosts that the application names", async () => {
    const { ask } = await started({ git: { client, http: ["git.inside:8080"] } });
    const at = async (host: string) =>
      (await ask("POST ~/git/import", { url: `http://${host}/x.git`, ref: "refs/heads/main" })).status;
    expect(await at("git.inside:8080")).toBe(204);
    expect(await at("git.inside")).toBe(400);
    expect(await at("git.inside.evil.example:8080")).toBe(400);
  });

  test.each([
    "main",
    "-x",
    "refs/heads/",
    "refs/heads/-x",
    "refs/heads/a..b",
    "refs/tags/v1",
    "refs/heads/a b",
    "HEAD",
  ])("S35: the branch %s is rejected", async (ref) => {
    const { ask } = await started();
    expect((await ask("POST ~/git/import", { url, ref })).status).toBe(400);
  });

  test.each(["..", "a/../..", "a\\..\\b", "a/\u0000"])(
    "S35: the folder %j is rejected",
    async (repoProjectDirectory) => {
      const { ask } = await started();
      expect((await ask("POST ~/git/import", { url, ref: "refs/heads/main", repoProjectDirectory })).status).toBe(400);
    },
  );
});

describe("S14: permission to name a repository", () => {
  test("S14: only space administrators may name a repository, which is opened with the request's credentials alone", async () => {
    const seen: unknown[] = [];
    const listening = {
      ...client,
      readRemote: (options: Parameters<typeof client.readRemote>[0]) => {
        seen.push(options.auth);
        return client.readRemote(options);
      },
    };
    const { ask } = await started({ git: { client: listening } });
    await ask("POST ~/git/import", { url, ref: "refs/heads/main" });
    await ask("POST ~/git/import", { url: "https://git.example/acme/other.git", ref: "refs/heads/main" });
    expect(seen).toEqual([{ username: "ada", password: SECRET }, undefined]);
  });
});

// Users, tokens and organizations, on a server and on a storage.

import { createDocsApi } from "octavo";
import { levelStorage } from "octavo/level";
import { createSignIn } from "octavo/sign-in";
import { describe, expect, test } from "vitest";
import { browser } from "../sign-in/browser";
import { ran } from "./run";
import { served, stored } from "./servers";

const json = ({ stdout }: { stdout: string }) => JSON.parse(stdout);

describe("people on a server", () => {
  test("on a server, a token is created once, works within its scopes, is listed without its value and ends when revoked", async () => {
    const { env, organization } = await served();
    const made = await ran(
      ["token", "create", "--label", "ci", "--scopes", "organizations:read", "--expires", "90d"],
      env,
    );
    expect(made.status).toBe(0);
    const value = made.stdout.match(/not shown again\): (\S+)/)![1]!;
    const id = made.stdout.match(/Token ID: (\S+)/)![1]!;
    const weak = { ...env, OCTAVO_TOKEN: value };
    expect(await ran(["org", "list"], weak)).toMatchObject({ status: 0, stdout: `${organization}  Acme\n` });
    expect(await ran(["org", "create", "Other"], weak)).toMatchObject({ status: 1, stdout: "" });
    const listed = await ran(["token", "list"], env);
    expect(listed.stdout).toContain(id);
    expect(listed.stdout).not.toContain(value);
    const tokens = json(await ran(["token", "list", "--json"], env));
    expect(tokens.map(({ label }: { label: string }) => label).sort()).toEqual(["ci", "first"]);
    const days = (Date.parse(tokens.find((it: { id: string }) => it.id === id).expiresAt) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    expect(await ran(["token", "revoke", id], env)).toMatchObject({ status: 0, stdout: `${id} is revoked.\n` });
    const after = await ran(["user", "show"], weak);
    expect([after.status, after.stdout]).toEqual([1, ""]);
    expect(after.stderr).toMatch(/^[^\n]+\.\n$/);
  });

  test("on a server, organizations are created, listed and shown, and people are invited", async () => {
    const { env, organization } = await served();
    const second = json(await ran(["org", "create", "Second", "--json"], env)).id;
    const listed = await ran(["org", "list"], env);
    expect(listed.stdout.split("\n").filter(Boolean).sort()).toEqual(
      [`${organization}  Acme`, `${second}  Second`].sort(),
    );
    expect((await ran(["org", "show", second], env)).stdout).toContain("Second");
    expect((await ran(["org", "members", organization], env)).stdout).toMatch(
      /^\S+ {2}admin {2}ada@example\.com {2}Ada\n$/,
    );
    const invited = json(
      await ran(["org", "invite", organization, "grace@example.com", "--role", "edit", "--json"], env),
    );
    expect(invited.invites).toMatchObject([{ email: "grace@example.com", role: "edit", mailed: false }]);
    const again = await ran(["org", "invite", organization, "grace@example.com", "ada@example.com"], env);
    expect(again).toMatchObject({ status: 0, stderr: "No email was sent. Send each person their link.\n" });
    expect(again.stdout).toContain(invited.invites[0].urls.app);
    expect((await ran(["user", "list", "--org", organization], env)).stdout).toContain("ada@example.com");
    expect((await ran(["user", "list"], env)).stderr).toMatch(/^You belong to 2 organizations\. Choose one with --org/);
  });

  test("on a server, creating users is refused with a sentence that says what to do", async () => {
    const { env } = await served();
    const refused = await ran(["user", "create", "grace@example.com"], env);
    expect(refused).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^Users can't be created on a server\. .*octavo org invite/),
    });
  });
});

describe("people on a storage", () => {
  test("on a storage, users are created with what belongs to them, and tokens can be created for each", async () => {
    const { data, env, organization } = await stored(async () => undefined);
    const made = await ran(
      ["user", "create", "grace@example.com", "--create-org", "Navy", "--token-label", "laptop", "--json"],
      env,
    );
    expect(json(made)).toEqual({
      user: expect.any(String),
      organization: expect.any(String),
      token: expect.any(String),
    });
    const users = json(await ran(["user", "list", "--json", "--data", data], { SECRET: env.SECRET! }));
    expect(users).toMatchObject([
      { email: "ada@example.com", displayName: "Ada" },
      { email: "grace@example.com", displayName: "grace" },
    ]);
    expect((await ran(["org", "list"], env)).stdout).toBe(`${organization}  Acme\n`);
    expect((await ran(["org", "list", "--as", "Grace@example.com"], env)).stdout).toMatch(/ {2}Navy\n$/);
    const hidden = await ran(["org", "show", organization, "--as", "grace@example.com"], env);
    expect(hidden.status).toBe(1);
    expect(hidden.stderr).toContain("The command ran as grace@example.com. Choose another user with --as.");
    expect(await ran(["org", "list", "--as", "nobody@example.com"], env)).toMatchObject({
      status: 2,
      stderr: "User nobody@example.com not found in this storage. See octavo user list.\n",
    });
    const bad = await ran(["user", "create", "no-address"], env);
    expect([bad.status, bad.stderr]).toEqual([1, expect.stringMatching(/^Cannot create no-address: [^\n]+\n$/)]);
  });

  test("on a storage, a folder without data is not created, and a token for a second data source is refused", async () => {
    const { env } = await stored(async () => undefined);
    expect(await ran(["org", "list", "--data", "/nowhere/data"], env)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^No data in \/nowhere\/data/),
    });
    const both = await ran(["org", "list", "--data", "/nowhere/data", "--url", "http://127.0.0.1:1"], env);
    expect(both).toMatchObject({ status: 2, stderr: "--url and --data can't be used together.\n" });
  });
});

describe("a sign-in link", () => {
  /** Opens a link as a browser does, on a server with the same data. */
  async function follow(data: string, secret: string, link: string) {
    const api = createDocsApi(levelStorage(data), { secret, origin: new URL(link).origin });
    try {
      const page = browser(createSignIn(api, { home: "/" }), new URL(link).origin);
      const shown = await page.get(new URL(link).pathname);
      const first = await page.post(new URL(link).pathname);
      const again = await page.post(new URL(link).pathname);
      return { shown: shown.text, statuses: [first.status, again.status], location: first.location };
    } finally {
      await api.close();
    }
  }

  test("user link prints a link to the public origin that signs the user in once, and a second one as well", async () => {
    const { data, env } = await stored(async () => undefined);
    for (const [args, minutes] of [
      [[], "15 minutes"],
      [["--minutes", "1"], "1 minute"],
    ] as const) {
      const made = await ran(["user", "link", "Ada@Example.com", ...args], {
        ...env,
        ORIGIN: "https://docs.example.com",
      });
      expect(made).toMatchObject({ status: 0, stderr: "" });
      const [, link] = made.stdout.match(
        new RegExp(
          `^Sign in as ada@example\\.com \\(works once, for ${minutes}\\): (https://docs\\.example\\.com/sign-in/link/\\w{32})\\n$`,
        ),
      )!;
      const followed = await follow(data, env.SECRET!, link!);
      expect(followed.shown).toContain("ada@example.com");
      expect(followed).toMatchObject({ statuses: [303, 410], location: "/" });
    }
    const { link } = json(await ran(["user", "link", "ada@example.com", "--json", "--port", "8080"], env));
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:8080\/sign-in\/link\/\w{32}$/);
  });

  test("user link refuses an unknown user, a disabled one and a folder without data", async () => {
    const { env } = await stored(async (api) => {
      const { user } = await api.provision({ user: { displayName: "Grace", email: "grace@example.com" } });
      await api.changeUser(user, "disabled");
    });
    const link = (email: string, more: Record<string, string> = {}) =>
      ran(["user", "link", email], { ...env, ...more });
    expect(await link("nobody@example.com")).toEqual({
      status: 2,
      stdout: "",
      stderr: "User nobody@example.com not found in this storage. See octavo user list.\n",
    });
    expect(await link("grace@example.com")).toEqual({
      status: 1,
      stdout: "",
      stderr: "grace@example.com is disabled and can't sign in.\n",
    });
    expect(await link("ada@example.com", { DATA_DIR: "/nowhere/data" })).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^No data in \/nowhere\/data/),
    });
    const wrong = await ran(["user", "link", "ada@example.com", "--minutes", "1441"], env);
    expect(wrong).toMatchObject({ status: 2, stderr: "--minutes must be a whole number from 1 to 1440.\n" });
  });

  test("user link says to stop the server that holds a LevelDB directory", async () => {
    const { data, env } = await stored(async () => undefined);
    const held = levelStorage(data);
    for await (const _ of held.partitions()) break;
    const refused = await ran(["user", "link", "ada@example.com"], env);
    await held.close();
    expect(refused).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/ is in use by .* stop it, run this command again, and restart the server\.\n$/),
    });
    expect((await ran(["user", "link", "ada@example.com"], env)).status).toBe(0);
  });
});

describe("output", () => {
  test("printed text cannot control the terminal", async () => {
    const { env } = await served();
    await ran(["org", "create", "Evil\u202e\u009b31m title"], env);
    const { stdout } = await ran(["org", "list"], env);
    expect(stdout).toContain("Evil");
    expect(stdout).not.toMatch(/[\u0080-\u009f\u202e]/);
    const { stderr } = await ran(["org", "list", "--as", "\u009b31m"], env);
    expect(stderr).not.toMatch(/[\u0080-\u009f]/);
  });

  test("--json prints one JSON document, for errors too", async () => {
    const { env } = await served();
    const failed = await ran(["org", "show", "org_none", "--json"], env);
    expect(failed).toMatchObject({ status: 1, stdout: "" });
    expect(JSON.parse(failed.stderr)).toEqual({
      error: { message: expect.stringMatching(/\.$/), status: 1, reason: "organization_not_found" },
    });
  });

  test("an unreachable server is reported with one sentence and its own exit status", async () => {
    const away = await ran(["org", "list"], { OCTAVO_URL: "http://127.0.0.1:1", OCTAVO_TOKEN: "x" });
    expect(away).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/^The server at http:\/\/127\.0\.0\.1:1 is unreachable: [^\n]+\.\n$/),
    });
    const nowhere = await ran(["org", "list"]);
    expect(nowhere).toMatchObject({ status: 2, stderr: expect.stringMatching(/^Specify a server with --url/) });
  });
});

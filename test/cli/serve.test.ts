// The server as people run it: as a process, over HTTP, with what it prints, and with what a crash leaves behind.

import { execFile } from "node:child_process";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { createDocsApi } from "octavo";
import { levelStorage } from "octavo/level";
import { memoryStorage } from "octavo/memory";
import { describe, expect, onTestFinished, test } from "vitest";
import { holdRequests } from "../../cli/commands/serve/hold-requests";
import { provisionFirstOrganization } from "../../cli/commands/serve/provision-first-organization";
import type { ServerSettings } from "../../cli/commands/serve/server-settings";
import { dial, listen } from "../node/servers";
import { freePort } from "../support/listening";
import { until } from "../support/patience";
import { serve } from "../translators/server";
import { octavo, run, runCommand, start } from "./processes";
import { ran } from "./run";
import { temporaryDirectory } from "./temporary";

const ADMIN_TOKEN = "an-operators-own-token";

const tokenIn = ({ stdout }: { stdout: string }) => stdout.match(/API token \(not shown again\): (\S+)$/m)?.[1];
const organizationIn = ({ stdout }: { stdout: string }) => stdout.match(/Organization ID: (\S+)$/m)?.[1];

/** Runs the printed line as a person would. */
async function runCurl({ stdout }: { stdout: string }, env: Record<string, string> = {}) {
  const line = stdout.match(/^curl .*$/m)![0];
  const { stdout: answer } = await promisify(execFile)("sh", ["-c", line], {
    env: { PATH: process.env.PATH!, ...env },
  });
  return JSON.parse(answer) as unknown;
}

async function organizationsOf(response: Response): Promise<string[]> {
  const { items } = (await response.json()) as { items: { id: string }[] };
  return items.map(({ id }) => id);
}

test("serve translates with the server that TRANSLATOR names and prints no key", async () => {
  const translator = await serve(({ body }) => ({
    body: { translatedText: body.q.map((text: string) => text.toUpperCase()) },
  }));
  onTestFinished(() => translator.close());
  const server = await start({
    STORAGE: "memory",
    ADMIN_TOKEN,
    TRANSLATOR: "libretranslate",
    TRANSLATOR_URL: translator.url,
    TRANSLATOR_KEY: "a-key-of-the-translator",
  });
  const at = `/orgs/${organizationIn(server.output)}`;
  const send = async (path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" };
    const url = `http://127.0.0.1:${server.port}/v1${path}`;
    return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json() as Promise<{
      id: string;
    }>;
  };
  const space = (await send(`${at}/spaces`, { title: "Guide" })).id;
  const changes = [{ operation: "insert_page", title: "Start", document: { markdown: "Run it." } }];
  await send(`/spaces/${space}/content`, { changes });
  const { id } = await send(`${at}/translations`, { language: "de", source: { space } });
  for (;;) {
    const answer = await (await server.ask(`${at}/translations/${id}`, ADMIN_TOKEN)).json();
    const { status, stats } = answer as { status: string; stats: { totalWords: number } };
    expect(status).not.toBe("failed");
    if (status === "completed") {
      expect(stats.totalWords).toBe(3);
      break;
    }
  }
  expect(translator.asked[0]!.body).toMatchObject({ api_key: "a-key-of-the-translator", target: "de" });
  expect(server.output.stdout + server.output.stderr).not.toContain("a-key-of-the-translator");
});

describe("the first start", () => {
  test.each(["level", "memory"])("the first start on %s prints a curl command that works", async (STORAGE) => {
    const server = await start({ STORAGE, DATA_DIR: await temporaryDirectory() });
    const id = organizationIn(server.output);
    expect(await runCurl(server.output)).toMatchObject({ object: "organization", id, title: "My organization" });
    expect(server.output.stdout).toContain(`http://127.0.0.1:${server.port}/v1`);
    expect(server.output.stderr).toBe("");
  });

  test("before the first start has finished, only /v1/health answers, and /v1/ready does not", async () => {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const answered: string[] = [];
    const handler = holdRequests(begun, ({ url }) => void answered.push(url!));
    for (const url of ["/v1/ready", "/v1/health", "/v1/orgs"]) handler({ url } as never, {} as never);
    await new Promise((done) => setImmediate(done));
    expect(answered).toEqual(["/v1/health"]);
    begin();
    await new Promise((done) => setImmediate(done));
    expect(answered).toEqual(["/v1/health", "/v1/ready", "/v1/orgs"]);
    handler({ url: "/v1/user" } as never, {} as never);
    expect(answered).toContain("/v1/user");
  });

  test("the first start has finished when /v1/ready answers 200", async () => {
    const server = await start({ STORAGE: "memory", ADMIN_TOKEN });
    expect((await server.ask("/ready", ADMIN_TOKEN)).status).toBe(200);
    expect(await organizationsOf(await server.ask("/orgs", ADMIN_TOKEN))).toHaveLength(1);
  });

  test("the first start of two processes at once creates one organization with one sample site", async () => {
    const storage = memoryStorage();
    const printed: string[] = [];
    const admin = { displayName: "Admin", email: "admin@example.com" };
    const settings = { address: "http://x", admin, adminToken: ADMIN_TOKEN, hasSample: true } as ServerSettings;
    const signIn = { createSignInLink: async () => "http://x/link" };
    const apis = [createDocsApi(storage), createDocsApi(storage)];
    await Promise.all(
      apis.map((api) => provisionFirstOrganization(api, signIn, settings, (line) => printed.push(line))),
    );
    const made = new Set(printed.flatMap((line) => line.match(/^Organization ID: .*/) ?? []));
    expect(made.size).toBe(1);
    expect(printed.filter((line) => line.includes("ample site")).sort()).toEqual([
      "Another process is creating the sample site.",
      expect.stringMatching(/^Sample site: http/),
    ]);
    await storage.close();
  });

  test("serve takes the token from ADMIN_TOKEN and does not print it", async () => {
    const server = await start({ STORAGE: "memory", ADMIN_TOKEN });
    expect(server.output.stdout).not.toContain(ADMIN_TOKEN);
    expect(tokenIn(server.output)).toBeUndefined();
    const id = organizationIn(server.output);
    expect(await organizationsOf(await server.ask("/orgs", ADMIN_TOKEN))).toEqual([id]);
    expect(await runCurl(server.output, { ADMIN_TOKEN })).toMatchObject({ id });
  });

  test("ADMIN_EMAIL and ADMIN_NAME are those of the first admin, and change no user of a later start", async () => {
    const DATA_DIR = await temporaryDirectory();
    const first = await start({ DATA_DIR, ADMIN_TOKEN, ADMIN_EMAIL: "ada@example.com", ADMIN_NAME: "Ada Lovelace" });
    expect(first.output.stdout).toContain("(sign in as ada@example.com; the sign-in link is printed here)");
    const ada = { displayName: "Ada Lovelace", email: "ada@example.com" };
    expect(await (await first.ask("/user", ADMIN_TOKEN)).json()).toMatchObject(ada);
    first.child.kill("SIGTERM");
    await first.exited;
    const second = await start({ DATA_DIR, ADMIN_EMAIL: "grace@example.com" });
    expect(second.output.stdout).toMatch(/^Console: \S+ \(sign-in links are printed here\)$/m);
    expect(await (await second.ask("/user", ADMIN_TOKEN)).json()).toMatchObject(ada);
  });

  test.each([
    [{ ADMIN_EMAIL: "ada" }, "ADMIN_EMAIL must be an email address, such as ada@example.com.\n"],
    [{ ADMIN_NAME: "a".repeat(65) }, "ADMIN_NAME must have 1 to 64 characters.\n"],
    [{ ADMIN_NAME: " " }, "ADMIN_NAME must have 1 to 64 characters.\n"],
  ])("a first admin of %j is refused before anything is created", async (environment, stderr) => {
    const DATA_DIR = join(await temporaryDirectory(), "data");
    expect(await ran(["serve"], { DATA_DIR, ...environment })).toEqual({ status: 2, stdout: "", stderr });
    await expect(stat(DATA_DIR)).rejects.toThrow("ENOENT");
  });

  test("serve puts ORIGIN into the URLs of responses", async () => {
    const server = await start({ STORAGE: "memory", ADMIN_TOKEN, ORIGIN: "https://docs.example.com:443/" });
    const response = await server.ask("/user", ADMIN_TOKEN);
    expect(await response.json()).toMatchObject({
      urls: { location: expect.stringMatching(/^https:\/\/docs\.example\.com\/v1\//) },
    });
  });

  test("serve gives each organization a host name with SITES_URL", async () => {
    const server = await start({
      STORAGE: "memory",
      ADMIN_TOKEN,
      SAMPLE: "1",
      SITES_URL: "https://*.docs.example.com",
    });
    const site = new URL(server.output.stdout.match(/^Sample site: (\S+)$/m)![1]!);
    expect(site.host).toBe(`${organizationIn(server.output)!.replace("_", "-")}.docs.example.com`);
    for (const [host, status] of [
      [site.host, 200],
      [`127.0.0.1:${server.port}`, 404],
    ] as const) {
      const { head, ends } = dial(Number(server.port));
      head(`GET ${site.pathname} HTTP/1.1`, `Host: ${host}`, "Connection: close");
      expect(await ends()).toContain(`HTTP/1.1 ${status}`);
    }
  });

  test("serve accepts the hosts of EGRESS_ALLOW, a SECRET and empty variables", async () => {
    const DATA_DIR = await temporaryDirectory();
    const SECRET = "s".repeat(32);
    const server = await start({
      DATA_DIR,
      SECRET,
      EGRESS_ALLOW: "git.internal, localhost:9000,",
      ORIGIN: "",
      HOST: "",
    });
    expect(await runCurl(server.output)).toMatchObject({ object: "organization" });
    await expect(stat(join(DATA_DIR, "secret"))).rejects.toThrow("ENOENT");
  });
});

test("flags take precedence over variables, and origins, proxies and limits can be set", async () => {
  const port = await freePort();
  const flags = ["--port", String(port), "--storage", "memory", "--rate-limit", "2", "--rate-limit-window", "3600"];
  const server = octavo(["serve", ...flags], {
    PORT: "1",
    ADMIN_TOKEN,
    CORS_ORIGINS: "https://app.example.com/, https://other.example.com:443",
    TRUSTED_PROXIES: "127.0.0.0/8, 10.0.0.0/8",
    MAX_BODY_BYTES: "2048",
    OAUTH_REDIRECT_SCHEMES: "vscode, my-editor",
  });
  await server.prints(/^curl .*$/m);
  const ask = (headers: Record<string, string>, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}/v1/user`, { ...init, headers });
  const preflight = await ask(
    { origin: "https://other.example.com", "access-control-request-method": "GET" },
    { method: "OPTIONS" },
  );
  expect(preflight.headers.get("access-control-allow-origin")).toBe("https://other.example.com");
  const registration = await fetch(`http://127.0.0.1:${port}/oauth/register`, {
    method: "POST",
    body: JSON.stringify({ redirect_uris: ["my-editor://back"] }),
  });
  expect(registration.status).toBe(201);
  const spoofed = (client: string) => ask({ "x-forwarded-for": `6.6.6.6, ${client}, 10.1.2.3` });
  const left = [];
  for (const client of ["198.51.100.7", "198.51.100.7", "198.51.100.8", "198.51.100.7"])
    left.push((await spoofed(client)).headers.get("x-ratelimit-remaining"));
  expect(left).toEqual(["1", "0", "1", "0"]);
  expect((await spoofed("198.51.100.7")).status).toBe(429);
  const body = JSON.stringify({ title: "x".repeat(3000) });
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" };
  expect((await fetch(`http://127.0.0.1:${port}/v1/orgs`, { method: "POST", headers, body })).status).toBe(413);
});

test("serve writes request logs and metrics where it is told to", async () => {
  const METRICS_PORT = String(await freePort());
  const server = await start({ STORAGE: "memory", ADMIN_TOKEN, LOG_REQUESTS: "true", METRICS_PORT });
  await (await server.ask("/user", ADMIN_TOKEN)).text();
  await until(() =>
    expect(server.output.stdout + server.output.stderr).toMatch(/^\{.*"operation":"getCurrentUser".*\}$/m),
  );
  const metrics = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
  expect(metrics).toContain('octavo_requests_total{operation="getCurrentUser",status="200"} 1');
  expect(metrics).toContain("octavo_storage_calls_total");
  expect((await fetch(`http://127.0.0.1:${METRICS_PORT}/`)).status).toBe(404);
  server.child.kill("SIGTERM");
  expect(await server.exited).toBe(0);
});

test("serve ends when its parent process says so, as on systems without signals", async () => {
  const port = await freePort();
  const server = octavo(["serve"], { PORT: String(port), DATA_DIR: await temporaryDirectory() }, [
    "pipe",
    "pipe",
    "pipe",
    "ipc",
  ]);
  await server.prints(/^curl .*$/m);
  server.child.send("anything else");
  server.child.send("shutdown");
  expect(await server.exited).toBe(0);
  expect(server.output.stdout).toMatch(/^Shutting down/m);
});

test("npm start runs the server from source and forwards the signal that ends it", async () => {
  const PORT = String(await freePort());
  const server = runCommand("npm", ["start"], { PORT, DATA_DIR: await temporaryDirectory(), ADMIN_TOKEN });
  await server.prints(/^curl .*$/m);
  expect(await runCurl(server.output, { ADMIN_TOKEN })).toMatchObject({ object: "organization" });
  server.child.kill("SIGTERM");
  await server.prints(/^Shutting down/m);
  await server.exited;
});

describe("a later start", () => {
  test("a later start keeps the data and the secret, and prints the addresses and who can sign in", async () => {
    const DATA_DIR = await temporaryDirectory();
    const first = await start({ DATA_DIR });
    const token = tokenIn(first.output)!;
    for (const title of ["Second", "Third"])
      await first.ask("/orgs", token, { method: "POST", body: JSON.stringify({ title }) });
    const page = (await (await first.ask("/orgs?limit=1", token)).json()) as { next: { page: string } };
    const secret = await readFile(join(DATA_DIR, "secret"), "utf8");
    expect((await stat(join(DATA_DIR, "secret"))).mode & 0o777).toBe(0o600);
    expect((await stat(DATA_DIR)).mode & 0o777).toBe(0o700);
    first.child.kill("SIGTERM");
    expect(await first.exited).toBe(0);

    const second = await start({ DATA_DIR });
    const address = `http://127.0.0.1:${second.port}`;
    expect(second.output.stdout).toBe(
      `Console: ${address}/ (sign in as admin@localhost.localdomain; the sign-in link is printed here)\nOctavo is running at ${address}/v1\n`,
    );
    expect(await readFile(join(DATA_DIR, "secret"), "utf8")).toBe(secret);
    expect(await organizationsOf(await second.ask("/orgs", token))).toHaveLength(3);
    // A cursor is sealed with the secret.
    expect((await second.ask(`/orgs?limit=1&page=${encodeURIComponent(page.next.page)}`, token)).status).toBe(200);
  });

  test("a server that others reach and that sends no mail names the command that prints a sign-in link", async () => {
    const [DATA_DIR, HOST] = [await temporaryDirectory(), "0.0.0.0"];
    const hint = (email: string) =>
      `This server doesn't send email. To get a sign-in link, run octavo user link ${email} with the same settings while the server is stopped.\n`;
    const first = await start({ DATA_DIR, HOST, ADMIN_TOKEN });
    expect(first.output.stdout).toContain(hint("admin@localhost.localdomain"));
    first.child.kill("SIGTERM");
    await first.exited;
    const second = await start({ DATA_DIR, HOST });
    expect(second.output.stdout).toContain(hint("admin@localhost.localdomain"));
    expect(second.output.stdout).not.toContain("printed here");
    const page = await (await fetch(`http://127.0.0.1:${second.port}/sign-in`)).text();
    expect(page).toContain("<code>octavo user link &lt;email&gt;</code>");
    const withMail = await start({ STORAGE: "memory", HOST, MAIL_COMMAND: "true", ADMIN_TOKEN });
    expect(withMail.output.stdout).not.toContain("octavo user link");
  });

  test("a later start refuses to create a new secret for data that may need the lost one", async () => {
    const DATA_DIR = await temporaryDirectory();
    const first = await start({ DATA_DIR });
    first.child.kill("SIGTERM");
    await first.exited;
    await rm(join(DATA_DIR, "secret"));
    const second = octavo(["serve"], { DATA_DIR, PORT: String(await freePort()) });
    expect(await second.exited).toBe(1);
    expect(second.output.stderr).toContain(`${join(DATA_DIR, "secret")} is missing`);
  });
});

describe("shutting down", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s lets running requests finish and accepts no new ones",
    async (signal) => {
      const DATA_DIR = await temporaryDirectory();
      const server = await start({ DATA_DIR, ADMIN_TOKEN, DRAIN_SECONDS: "900" });
      // An idle connection must not hold up the end.
      await (await server.ask("/user", ADMIN_TOKEN)).text();
      const body = JSON.stringify({ title: "Under way" });
      const { head, socket, receives, ends } = dial(server.port);
      head(
        "POST /v1/orgs HTTP/1.1",
        "host: x",
        `authorization: Bearer ${ADMIN_TOKEN}`,
        "content-type: application/json",
        `content-length: ${body.length}`,
        "expect: 100-continue",
      );
      await receives("100 Continue");
      server.child.kill(signal);
      await server.prints(/^Shutting down/m);
      await expect(connected(server.port)).rejects.toThrow("ECONNREFUSED");
      socket.write(body);
      expect(await receives('"Under way"')).toContain("HTTP/1.1 201 Created");
      await ends();
      expect(await server.exited).toBe(0);
      expect(server.output.stderr).toBe("");

      const again = await start({ DATA_DIR });
      expect(await organizationsOf(await again.ask("/orgs", ADMIN_TOKEN))).toHaveLength(2);
    },
  );

  test("kill -9 loses nothing that was acknowledged", async () => {
    const DATA_DIR = await temporaryDirectory();
    const server = await start({ DATA_DIR, ADMIN_TOKEN });
    const made = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const body = JSON.stringify({ title: `Number ${i}` });
        const response = await server.ask("/orgs", ADMIN_TOKEN, { method: "POST", body });
        return ((await response.json()) as { id: string }).id;
      }),
    );
    server.child.kill("SIGKILL");
    expect(await server.exited).toBe("SIGKILL");
    const again = await start({ DATA_DIR });
    for (const id of made) expect((await again.ask(`/orgs/${id}`, ADMIN_TOKEN)).status).toBe(200);
  });
});

describe("an interrupted first start", () => {
  /** What the server has written when it dies between the token and the organization. */
  async function halfProvisioned(token: string): Promise<string> {
    const directory = await temporaryDirectory();
    const api = createDocsApi(levelStorage(directory));
    await api.provision({
      user: { displayName: "Admin", email: "admin@localhost.localdomain" },
      token: { label: "First start", value: token },
    });
    await api.close();
    return directory;
  }

  test("a first start interrupted before the organization was created is completed, and shows a token", async () => {
    const server = await start({ DATA_DIR: await halfProvisioned("a-token-nobody-saw") });
    expect(await runCurl(server.output)).toMatchObject({ object: "organization" });
  });

  test("an interrupted first start is completed with the ADMIN_TOKEN that already exists", async () => {
    const server = await start({ DATA_DIR: await halfProvisioned(ADMIN_TOKEN), ADMIN_TOKEN });
    expect(await runCurl(server.output, { ADMIN_TOKEN })).toMatchObject({ object: "organization" });
  });

  test("a first start interrupted after any line of output leaves a working token", async () => {
    const DATA_DIR = await temporaryDirectory();
    const first = octavo(["serve"], { DATA_DIR, PORT: String(await freePort()) });
    await first.prints(/^The admin's API token/m);
    first.child.kill("SIGKILL");
    await first.exited;
    const second = await start({ DATA_DIR });
    const tokens = [tokenIn(second.output), tokenIn(first.output)].filter((token) => token !== undefined);
    const seen = await Promise.all(
      tokens.map(async (token) => {
        const response = await second.ask("/orgs", token);
        return response.ok ? organizationsOf(response) : [];
      }),
    );
    expect(seen.flat()).not.toHaveLength(0);
  });
});

describe("invalid configuration", () => {
  test.each([
    [{ PORT: "http" }, "PORT must be a whole number from 1 to 65535."],
    [{ PORT: "0" }, "PORT must be a whole number from 1 to 65535."],
    [{ PORT: "65536" }, "PORT must be a whole number from 1 to 65535."],
    [{ DRAIN_SECONDS: "soon" }, "DRAIN_SECONDS must be a whole number from 0 to 99999."],
    [{ HOST: "not a host" }, "HOST must be a host name or an IP address."],
    [{ STORAGE: "floppy" }, "STORAGE must be level, memory, postgres or s3."],
    [{ ORIGIN: "docs.example.com" }, "ORIGIN must be an origin without a path, such as https://docs.example.com."],
    [
      { ORIGIN: "https://docs.example.com/v1" },
      "ORIGIN must be an origin without a path, such as https://docs.example.com.",
    ],
    [
      { SITES_URL: "https://docs.*.example.com" },
      "SITES_URL must be a URL, such as https://docs.example.com/sites or https://*.docs.example.com.",
    ],
    [
      { SITES_URL: "/sites" },
      "SITES_URL must be a URL, such as https://docs.example.com/sites or https://*.docs.example.com.",
    ],
    [{ ADMIN_TOKEN: "too-short" }, "ADMIN_TOKEN must have 16 to 512 visible ASCII characters."],
    [{ ADMIN_TOKEN: "with a blank in between" }, "ADMIN_TOKEN must have 16 to 512 visible ASCII characters."],
    [{ MAIL_FROM: "nobody" }, "MAIL_FROM must be an email address."],
    [{ SECRET: "too-short" }, "SECRET must have at least 32 characters."],
    [{ TRANSLATOR: "babelfish" }, "TRANSLATOR must be openai, libretranslate or deepl."],
    [{ TRANSLATOR: "libretranslate" }, "TRANSLATOR_URL must be a URL, such as https://translate.example.com."],
    [{ TRANSLATOR: "openai" }, "TRANSLATOR_MODEL must name the model when TRANSLATOR is openai."],
    [{ TRANSLATOR: "deepl" }, "TRANSLATOR_KEY must be set when TRANSLATOR is deepl."],
    [{ PDF_FONTS: "/nowhere/Sans.ttf" }, "PDF_FONTS names /nowhere/Sans.ttf, which doesn't exist."],
    [
      { EGRESS_ALLOW: "http://git.internal" },
      "EGRESS_ALLOW must be a comma-separated list of hosts, such as git.internal,localhost:9000.",
    ],
    [{ CORS_ORIGINS: "app.example.com" }, /^CORS_ORIGINS must be a comma-separated list of origins, .* or \*\.$/],
    [
      { CORS_ORIGINS: "*,https://app.example.com" },
      /^CORS_ORIGINS must be a comma-separated list of origins, .* or \*\.$/,
    ],
    [
      { OAUTH_REDIRECT_SCHEMES: "vscode,javascript" },
      /^OAUTH_REDIRECT_SCHEMES must be a comma-separated list of application schemes .*\.$/,
    ],
    [{ RATE_LIMIT: "0" }, "RATE_LIMIT must be a whole number from 1 to 1000000000."],
    [{ RATE_LIMIT_WINDOW: "60" }, "RATE_LIMIT_WINDOW requires --rate-limit or RATE_LIMIT."],
    [{ MAX_BODY_BYTES: "1 MB" }, "MAX_BODY_BYTES must be a whole number from 1024 to 1073741824."],
    [
      { TRUSTED_PROXIES: "10.0.0.0/33" },
      /^TRUSTED_PROXIES must be a comma-separated list of IP addresses or networks, .*\.$/,
    ],
    [
      { TRUSTED_PROXIES: "proxy.internal" },
      /^TRUSTED_PROXIES must be a comma-separated list of IP addresses or networks, .*\.$/,
    ],
    [{ S3_FORCE_PATH_STYLE: "yes" }, "S3_FORCE_PATH_STYLE must be true or false."],
    [{ STORAGE: "s3" }, "S3_BUCKET must name the bucket when STORAGE is s3."],
    [
      { STORAGE: "s3", S3_BUCKET: "docs" },
      "SECRET must be set when STORAGE is s3: all processes on a bucket share it.",
    ],
    [
      { STORAGE: "postgres", SECRET: "a secret of more than thirty-two characters" },
      "DATABASE_URL must be postgres://user:password@host/database when STORAGE is postgres.",
    ],
    [
      { STORAGE: "postgres", DATABASE_URL: "postgres://127.0.0.1/docs" },
      "SECRET must be set when STORAGE is postgres: all processes on a database share it.",
    ],
  ])("serve rejects the environment %j with one sentence", async (environment, sentence) => {
    const { status, stdout, stderr } = await ran(["serve"], environment);
    expect(status).toBe(2);
    expect(stderr.trimEnd()).toMatch(sentence);
    expect(stderr.trimEnd()).not.toContain("\n");
    expect(stdout).toBe("");
  });

  test("serve rejects an invalid flag by the name of the flag", async () => {
    const { status, stderr } = await ran(["serve", "--port", "0"], { PORT: "3000" });
    expect([status, stderr]).toEqual([2, "--port must be a whole number from 1 to 65535.\n"]);
  });

  test("serve exits with the status 2 for an invalid configuration", async () => {
    const server = octavo(["serve"], { PORT: "http" });
    expect(await server.exited).toBe(2);
    expect(server.output).toEqual({ stdout: "", stderr: "PORT must be a whole number from 1 to 65535.\n" });
  });

  test("serve rejects an address that does not belong to this machine", async () => {
    const server = octavo(["serve"], { STORAGE: "memory", HOST: "192.0.2.1", PORT: String(await freePort()) });
    expect(await server.exited).toBe(1);
    expect(server.output.stderr).toMatch(/^Cannot listen on port \d+ of 192\.0\.2\.1: .*EADDRNOTAVAIL.*\.\n$/);
  });

  test("serve rejects a SECRET that does not match the data, and replaces it when OLD_SECRET is given", async () => {
    const [SECRET, OLD_SECRET] = ["n".repeat(32), "s".repeat(32)];
    const DATA_DIR = await temporaryDirectory();
    const first = await start({ DATA_DIR, SECRET: OLD_SECRET, ADMIN_TOKEN });
    first.child.kill("SIGTERM");
    await first.exited;
    const refused = octavo(["serve"], { DATA_DIR, SECRET, PORT: String(await freePort()) });
    expect(await refused.exited).toBe(1);
    expect(refused.output).toEqual({
      stdout: "",
      stderr: expect.stringMatching(
        /^createDocsApi: `secret` was rejected\. The data was written with a different secret\. .*\n$/,
      ),
    });
    const second = await start({ DATA_DIR, SECRET, OLD_SECRET });
    expect((await second.ask("/user", ADMIN_TOKEN)).status).toBe(200);
  });

  test("serve rejects a port that is in use", async () => {
    const port = await listen(createServer());
    const server = octavo(["serve"], { STORAGE: "memory", PORT: String(port) });
    expect(await server.exited).toBe(1);
    expect(server.output).toEqual({
      stdout: "",
      stderr: `Cannot listen on port ${port} of 127.0.0.1: it is in use. Choose another one with --port or PORT.\n`,
    });
  });

  test("serve rejects a directory that another server holds", async () => {
    const DATA_DIR = await temporaryDirectory();
    await start({ DATA_DIR });
    const second = octavo(["serve"], { DATA_DIR, PORT: String(await freePort()) });
    expect(await second.exited).toBe(1);
    expect(second.output.stderr).toBe(
      `The LevelDB directory ${DATA_DIR} is in use by another process, or by another storage of this one.\n`,
    );
  });

  test("serve rejects a DATA_DIR that is a file", async () => {
    const DATA_DIR = join(await temporaryDirectory(), "file");
    await writeFile(DATA_DIR, "not a directory");
    const server = octavo(["serve"], { DATA_DIR, PORT: String(await freePort()) });
    expect(await server.exited).toBe(1);
    expect(server.output.stderr).toMatch(/^The LevelDB directory .* could not be opened: .*\n$/);
  });
});

test("the Express example prints a curl command that works", async () => {
  const app = run("express", { PORT: String(await freePort()) });
  await app.prints(/^curl .*$/m);
  expect(await runCurl(app.output)).toMatchObject({ object: "user", id: "ada" });
});

/** Resolves when a connection comes about. */
function connected(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve();
    });
    socket.on("error", reject);
  });
}

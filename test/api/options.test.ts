// A mistake in the options is a TypeError of `createDocsApi` itself, which names the option and says what to do.

import { createDocsApi, type DocsApiOptions, type Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";

const SECRET = "a secret of more than thirty-two characters";

test.each<[unknown, string]>([
  [{ orgin: "https://docs.example" }, "There is no option `orgin`. Did you mean `origin`?"],
  [{ secrets: SECRET }, "There is no option `secrets`. Did you mean `secret`?"],
  [{ zzz: 1 }, "There is no option `zzz`."],
  [{ toString: 1 }, "There is no option `toString`."],
  [{ git: { maxSecond: 1 } }, "There is no option `git.maxSecond`. Did you mean `maxSeconds`?"],
  [{ git: { limits: { maxbyte: 1 } } }, "There is no option `git.limits.maxbyte`. Did you mean `maxBytes`?"],
  [{ sandbox: { limits: { step: 1 } } }, "There is no option `sandbox.limits.step`. Did you mean `steps`?"],
  [{ cors: { origin: "*" } }, "There is no option `cors.origin`. Did you mean `origins`?"],
  [{ basePath: "docs" }, "`basePath` must be a path that begins with a slash, such as /docs-api."],
  [{ basePath: "/docs?a" }, "`basePath` must be a path"],
  [{ origin: "docs.example" }, "`origin` must be an origin without a path, such as https://docs.example.com."],
  [{ origin: "ftp://docs.example" }, "`origin` must be"],
  [{ origin: "https://docs.example/docs" }, "`origin` must be an origin without a path"],
  [{ appOrigin: "//docs.example" }, "`appOrigin` must be"],
  [
    { sitesUrl: "/sites" },
    "`sitesUrl` must be a URL, such as https://docs.example.com/sites or https://*.docs.example.com.",
  ],
  [{ secret: "short" }, "`secret` needs at least 32 characters."],
  [{ secret: "" }, "`secret` needs at least 32 characters."],
  [{ secret: 1 }, "`secret` needs at least 32 characters."],
  [{ secret: [SECRET, "short"] }, "`secret` needs at least 32 characters in each of the list."],
  [{ secret: [] }, "`secret` must have at least one secret"],
  [{ maxBodyBytes: -1 }, "`maxBodyBytes` must be a number, and not negative."],
  [{ maxBodyBytes: Number.NaN }, "`maxBodyBytes` must be a number"],
  [{ maxBodyBytes: "1" }, "`maxBodyBytes` must be a number"],
  [{ rateLimit: 100 }, "`rateLimit` must be an object."],
  [{ rateLimit: { limit: -1 } }, "`rateLimit.limit` must be a number, and not negative."],
  [{ rateLimit: { window: 60 } }, "`rateLimit.limit` is missing."],
  [{ cors: {} }, "`cors.origins` is missing."],
  [{ cors: { origins: "https://app.example" } }, '`cors.origins` must be "*" or a list of origins'],
  [{ cors: { origins: ["https://app.example/"] } }, "`cors.origins` must be"],
  [{ git: { http: "git.example" } }, "`git.http` must be a list of hosts, such as git.example:8080."],
  [{ git: { client: { readRemote() {} } } }, "`git.client` must be an object with the function `pushRemote`."],
  [{ search: { search() {} } }, "`search` must be an object with the function `update`."],
  [{ pdf: () => {} }, "`pdf` must be an object with the function `print`."],
  [{ templates: [{ id: "a" }] }, "`templates` must be a list of templates"],
  ...[
    "authenticate",
    "clientAddress",
    "fetch",
    "verifyDomain",
    "sendMail",
    "waitUntil",
    "onDue",
    "onEvent",
    "translator",
    "onError",
  ].map((name): [unknown, string] => [{ [name]: true }, `\`${name}\` must be a function.`]),
  [{ now: new Date() }, "`now` must be a function."],
  [{ authenticate: null }, "`authenticate` must be a function."],
  [null, "The options must be an object."],
  ["secret", "The options must be an object."],
])("createDocsApi rejects the options %j", (options, says) => {
  const open = () => createDocsApi(memoryStorage(), options as DocsApiOptions);
  expect(open).toThrow(TypeError);
  expect(open).toThrow(`createDocsApi: ${says}`);
});

test.each<[string, () => unknown, string]>([
  ["nothing", () => undefined, "The first argument must be a storage, such as `memoryStorage()` of octavo/memory."],
  ["a path", () => "./data", "The first argument must be a storage"],
  ["a function", () => memoryStorage, "The first argument must be a storage"],
  ["options", () => ({ secret: SECRET }), "`storage` must be an object with the function `partition`."],
  ["a promise", async () => memoryStorage(), "The storage is a promise: await it before it is given."],
  ["one without close", () => ({ ...memoryStorage(), close: undefined }), "with the function `close`."],
  [
    "one without blobs",
    () => ({ ...memoryStorage(), blobs: {} }),
    "`storage.blobs` must be an object with the function `put`.",
  ],
])("createDocsApi rejects a value that is not a storage: %s", (_, storage, says) => {
  const open = () => createDocsApi(storage() as Storage);
  expect(open).toThrow(TypeError);
  expect(open).toThrow(`createDocsApi: `);
  expect(open).toThrow(says);
});

test("every option may be undefined, and valid options are accepted", () => {
  const right: Required<DocsApiOptions> = {
    origin: "https://docs.example/",
    appOrigin: "http://localhost:3000",
    sitesUrl: "https://docs.example/sites",
    basePath: "/docs/",
    secret: [SECRET, `${SECRET}, once`],
    reference: false,
    authenticate: () => null,
    maxBodyBytes: Number.POSITIVE_INFINITY,
    cors: { origins: ["https://app.example", "null", "capacitor://localhost"], maxAge: 0 },
    rateLimit: { limit: 10 },
    clientAddress: () => undefined,
    onRequest: () => {},
    caches: { responses: 0, tokens: 10 },
    fetch,
    verifyDomain: () => true,
    sendMail: () => {},
    imports: { maxPages: 1 },
    git: { http: ["git.example:8080"], limits: { maxDepth: 1 }, maxSeconds: 1 },
    integrations: {},
    audit: { keepDays: 30 },
    events: { maxStreams: 10, pollSeconds: 0.5 },
    openApiSpecs: { checkEveryMinutes: 0 },
    files: { maxSeconds: 1 },
    waitUntil() {},
    onDue() {},
    search: { update: async () => {}, search: async () => ({ total: 0, hits: [] }) },
    onEvent() {},
    pdf: { print: async () => new Uint8Array() },
    sandbox: { threads: 0, limits: { steps: 1 } },
    translator: async () => [],
    ask: async function* () {},
    templates: [{ id: "a", title: "A", description: "", pages: [] }],
    onError() {},
    now: () => new Date(),
    random: (bytes) => new Uint8Array(bytes),
  };
  for (const [name, value] of Object.entries(right)) {
    createDocsApi(memoryStorage(), { [name]: value });
    createDocsApi(memoryStorage(), { [name]: undefined });
  }
  createDocsApi(memoryStorage(), right);
});

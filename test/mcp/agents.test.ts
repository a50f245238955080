// Agents at `/v1/mcp`, over real sockets, with the protocol's own clients: nobody here wrote those.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  Client as PresentClient,
  StreamableHTTPClientTransport as PresentTransport,
} from "@modelcontextprotocol/client";
import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import type { RequestReport } from "octavo";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import { createSignIn, type SignIn } from "octavo/sign-in";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findPeopleTool } from "../../src/mcp/agents/find-tools";
import { agentTools } from "../../src/mcp/agents/serve";
import { splitText } from "../../src/mcp/agents/text";
import { operationsByTool } from "../../src/mcp/agents/tool-operations";
import { browser } from "../sign-in/browser";
import { dump, open, type Person, type Setting, setUp } from "../support/setting";

const answers: RequestReport[] = [];
const server = createServer((request, response) => handle(request, response));
let handle: ReturnType<typeof nodeHandler>;
let origin: string;
let setting: Setting;
let signIn: SignIn;
let ask: Setting["ask"];
let askWith: Setting["askWith"];
let space: string;
let install: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  setting = await setUp(memoryStorage());
  const opened = open(setting.storage, { origin, onRequest: (answered) => answers.push(answered) });
  askWith = opened.askWith;
  ask = (as, route, send, headers) => askWith(as && setting.tokens[as], route, send, headers);
  signIn = createSignIn(opened.api);
  handle = nodeHandler(signIn);
  space = (await ask("admin", `POST /v1/orgs/${setting.org}/spaces`, { title: "Manual" })).body.id;
  const { body } = await ask("admin", `POST /v1/spaces/${space}/content`, {
    changes: [
      {
        operation: "insert_page",
        document: {
          markdown: "# Install\n\nRun the instalation program.\n\n## Proxy\n\nSet the proxy in the settings.\n",
        },
      },
      { operation: "insert_page", title: "Upgrade", document: { markdown: "Back up first.\n" } },
    ],
  });
  install = body.changes[0].page.id;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A client of the versions with a handshake. */
async function connect(token: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL("/v1/mcp", origin), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

interface Told {
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of what it asked for.
  readonly structured: any;
  readonly isError: boolean;
}

/** Calls a tool as a client does. */
async function use(client: Client, name: string, given: Record<string, unknown>): Promise<Told> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
  return {
    text: (content as { text: string }[])[0]!.text,
    structured: structuredContent,
    isError: isError === true,
  };
}

/** Calls a tool as somebody, without a client. */
async function call(token: string | null, name: string, given: unknown): Promise<Told & { readonly status: number }> {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
  const { status, body: told } = await askWith(token, "POST /v1/mcp", body);
  const { content = [{}], structuredContent, isError } = told.result ?? {};
  return { status, text: content[0].text, structured: structuredContent, isError };
}

const listed = async (token: string) => {
  const { body } = await askWith(token, "POST /v1/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" });
  return body.result.tools.map(({ name }: { name: string }) => name);
};

const scoped = async (person: Person, scopes: string[]) =>
  (await ask(person, "POST /v1/user/tokens", { label: "test", scopes })).body.token as string;

test("an agent improves a page from search to review, and a person merges what readers then see", async () => {
  const site = (await ask("admin", `POST /v1/orgs/${setting.org}/sites`, { title: "Site", spaces: [space] })).body;
  await ask("admin", `PATCH /v1/orgs/${setting.org}/sites/${site.id}`, { visibility: "public" });
  await ask("admin", `POST /v1/orgs/${setting.org}/sites/${site.id}/publish`);
  const atSite = `/v1/orgs/${setting.org}/sites/${site.id}/site-spaces`;
  const [{ id: siteSpace }] = (await ask("admin", `GET ${atSite}`)).body.items;
  const published = async () => (await ask(null, `GET ${atSite}/${siteSpace}/page/${install}`)).body.markdown;
  expect(await published()).toContain("instalation");

  const agent = await connect(
    await scoped("edit", [
      "search:read",
      "revisions:read",
      "change-requests:write",
      "comments:write",
      "members:read",
      "spaces:read",
      "organizations:read",
    ]),
  );
  expect(agent.getInstructions()).toContain("change request");
  expect(agent.getServerVersion()).toMatchObject({ name: "octavo" });

  const spaces = await use(agent, "list_spaces", {});
  expect(spaces.structured.organizations[0].spaces).toEqual([
    { id: space, title: "Manual", canEdit: true, openChangeRequests: 0 },
  ]);
  const found = await use(agent, "search", { query: "proxy settings" });
  expect(found.structured.pages[0]).toMatchObject({ space, page: install, title: "Install" });
  expect(found.text).toContain("Proxy");
  const read = await use(agent, "read_page", { space, page: install });
  expect(read.text).toContain("Run the instalation program.");

  const opened = await use(agent, "open_change_request", { space, subject: "Spelling of Install" });
  const changeRequest = String(opened.structured.number);
  const place = { space, changeRequest, page: install };

  // What was read in the space is what the change request began with.
  const first = await use(agent, "edit_page", {
    ...place,
    version: read.structured.version,
    edits: [{ find: "instalation", replace: "installation" }],
  });
  expect(first.isError).toBe(false);
  expect(await published()).toContain("instalation");

  // Somebody else edits the same page in the change request.
  const between = await ask("create", `POST /v1/spaces/${space}/change-requests/${changeRequest}/content`, {
    changes: [
      {
        operation: "update_page",
        page: install,
        document: {
          markdown:
            "# Install\n\nRun the installation program as admin.\n\n## Proxy\n\nSet the proxy in the settings.\n",
        },
      },
    ],
  });
  expect(between.status).toBe(200);
  const proxy = { ...place, edits: [{ find: "Set the proxy in the settings.", replace: "Set `HTTPS_PROXY`." }] };
  const stale = await use(agent, "edit_page", { ...proxy, version: first.structured.version });
  expect(stale.isError).toBe(true);
  expect(stale.text).toMatch(/^Nothing was written: the page has changed since you read it/);
  expect(stale.text).toContain("as admin.");
  expect(stale.structured.refused).toBe("stale");

  const again = await use(agent, "read_page", place);
  expect(again.structured.version).toBe(stale.structured.page.version);
  const second = await use(agent, "edit_page", { ...proxy, version: again.structured.version });
  expect(second.text).toMatch(/^Written/);

  const people = await use(agent, "find_people", { space, search: "review" });
  expect(people.structured.people).toMatchObject([{ id: setting.ids.review, role: "review" }]);
  const reviewers = [people.structured.people[0].id];
  const asked = await use(agent, "request_review", { space, changeRequest, reviewers });
  expect(asked.text).toContain("1 person is asked to review it.");
  expect(asked.structured.status).toBe("open");
  const said = await use(agent, "comment", {
    space,
    changeRequest,
    page: install,
    markdown: "Only spelling and the proxy.",
  });
  expect(said.isError).toBe(false);
  await ask("review", `POST /v1/spaces/${space}/change-requests/${changeRequest}/reviews`, { status: "approved" });

  const shown = await use(agent, "read_change_request", { space, changeRequest });
  expect(shown.structured).toMatchObject({
    status: "open",
    changes: [{ type: "page_edited", page: { id: install } }],
    requestedReviewers: [],
    reviews: [{ by: "The review", status: "approved", outdated: false }],
    comments: [{ by: "The edit", page: install, markdown: "Only spelling and the proxy.", replies: [] }],
  });
  expect(shown.text).toContain("The review: approved");

  // The agent's user may not merge: the tool is not offered, and refuses as the API does.
  expect((await agent.listTools()).tools.map(({ name }) => name)).not.toContain("merge_change_request");
  const merging = { space, changeRequest, revision: shown.structured.revision };
  expect(await use(agent, "merge_change_request", merging)).toMatchObject({
    isError: true,
    text: "Your role doesn't allow this action.",
  });
  expect(await published()).toContain("instalation");

  const merged = await ask("review", `POST /v1/spaces/${space}/change-requests/${changeRequest}/merge`);
  expect(merged.body.result).toBe("merge");
  expect(await published()).toBe(
    "# Install\n\nRun the installation program as admin.\n\n## Proxy\n\nSet `HTTPS_PROXY`.\n",
  );

  const changed = await use(agent, "list_recent_changes", { space, limit: 1 });
  expect(changed.structured.revisions[0]).toMatchObject({ changes: [{ type: "page_edited", page: { id: install } }] });
  expect(changed.text).toContain(`from change request \`${opened.structured.id}\``);
  await agent.close();
});

test("clients of the current protocol version are served with that version", async () => {
  const client = new PresentClient({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(
    new PresentTransport(new URL("/v1/mcp", origin), {
      requestInit: { headers: { authorization: `Bearer ${setting.tokens.review}` } },
    }),
  );
  expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(Object.keys(operationsByTool).sort((a, b) => order(a) - order(b)));
  const { structuredContent } = await client.callTool({ name: "read_page", arguments: { space, path: "upgrade" } });
  expect(structuredContent).toMatchObject({ title: "Upgrade", markdown: "Back up first.\n" });
  await expect(client.callTool({ name: "no_such_tool", arguments: {} })).rejects.toThrow("There is no tool");
  await client.close();
});

const order = (name: string) => agentTools.findIndex((tool) => tool.name === name);

test("a client without a token discovers the authorization server and gets a token from the user", async () => {
  const kept: Record<string, unknown> = {};
  let shownTo: URL | undefined;
  const provider: OAuthClientProvider = {
    redirectUrl: "http://127.0.0.1:51234/back",
    clientMetadata: { client_name: "Agent", redirect_uris: ["http://127.0.0.1:51234/back"] },
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => {
      kept.client = client;
    },
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      shownTo = url;
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier as string,
  };
  const transport = () => new StreamableHTTPClientTransport(new URL("/v1/mcp", origin), { authProvider: provider });
  const first = transport();
  await expect(new Client({ name: "test", version: "1" }).connect(first)).rejects.toThrow("Unauthorized");
  // It asks for what the tools need, and no more.
  const scopes = shownTo!.searchParams.get("scope")!.split(" ");
  expect(scopes).toEqual([
    ...[
      "change-requests:write",
      "comments:write",
      "members:read",
      "organizations:read",
      "revisions:read",
      "search:read",
    ],
    "spaces:read",
  ]);
  expect(shownTo!.searchParams.get("resource")).toBe(`${origin}/v1/mcp`);

  const person = browser(signIn, origin);
  const link = new URL(await signIn.createSignInLink(setting.ids.edit));
  const page = await person.get(link.pathname + link.search + link.hash);
  const secret = [...page.text.matchAll(/type="hidden" name="(.*?)" value="(.*?)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  await person.post(link.pathname, Object.fromEntries(secret));
  const consent = await person.get(shownTo!.pathname + shownTo!.search);
  expect(consent.text).toContain("Agent");
  const fields = new URLSearchParams({ decision: "allow" });
  for (const [, name, value] of consent.text.matchAll(/type="(?:hidden|checkbox)" name="(.*?)" value="(.*?)"/g))
    fields.append(name!, value!.replaceAll("&amp;", "&"));
  const cookie = [...person.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const decided = await fetch(`${origin}/oauth/authorize`, {
    method: "POST",
    body: fields,
    headers: { cookie, origin },
    redirect: "manual",
  });
  const back = new URL(decided.headers.get("location")!);
  await first.finishAuth(back.searchParams.get("code")!);

  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport());
  expect((await use(client, "read_page", { space, path: "upgrade" })).text).toContain("Back up first.");
  await client.close();
});

/** Something that every tool can be called with, in a change request of its own. */
async function prepared(person: Person = "edit") {
  const at = `/v1/spaces/${space}/change-requests`;
  const { id, revision } = (await ask(person, `POST ${at}`, { subject: "A proposal" })).body;
  const { id: commentId } = (await ask(person, `POST ${at}/${id}/comments`, { body: { markdown: "Why?" } })).body;
  const shown = await call(setting.tokens.admin, "read_page", { space, page: install, changeRequest: id });
  const { version } = shown.structured;
  const place = { space, changeRequest: id as string };
  const page = { ...place, page: install };
  const calls: Record<keyof typeof operationsByTool, Record<string, unknown>> = {
    list_spaces: { organization: setting.org },
    search: { query: "proxy", space },
    list_pages: { space },
    read_page: { space, page: install },
    find_by_url: { url: `${origin}/o/${setting.org}/s/${space}` },
    list_recent_changes: { space },
    list_change_requests: { space, status: "draft" },
    read_change_request: place,
    open_change_request: { space, subject: "Another" },
    edit_page: { ...page, version, title: "Installing" },
    create_page: { ...place, title: "New", markdown: "Text" },
    move_page: { ...page, position: 1 },
    delete_page: { ...page, version },
    update_change_request: place,
    comment: { ...place, markdown: "Because.", replyTo: commentId },
    find_people: { space },
    request_review: { ...place, reviewers: [setting.ids.review] },
    merge_change_request: { ...place, revision },
  };
  return { ...place, page: install, version, revision, commentId, calls };
}

test("every tool describes its input as JSON Schema and accepts what the schema allows", async () => {
  const { calls } = await prepared();
  const { body } = await ask("admin", "POST /v1/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" });
  const ajv = new Ajv2020({ strict: true });
  for (const { name, description, inputSchema, annotations } of body.result.tools) {
    const validate = ajv.compile(inputSchema);
    expect(validate(calls[name as keyof typeof calls])).toBe(true);
    expect(validate({ ...calls[name as keyof typeof calls], surprise: 1 })).toBe(false);
    const members = Object.entries<{ description?: string }>(inputSchema.properties);
    expect(members.filter(([, it]) => !it.description).map(([member]) => `${name}.${member}`)).toEqual([]);
    expect(description.length).toBeGreaterThan(100);
    expect(typeof annotations.readOnlyHint).toBe("boolean");
  }
  // A model reads all of it before it does anything.
  expect(JSON.stringify(body.result).length).toBeLessThan(24_000);
});

test("every tool does what its operations allow and nothing else", async () => {
  let { calls } = await prepared();
  for (const name of Object.keys(operationsByTool) as (keyof typeof operationsByTool)[]) {
    // Those before have edited what these name.
    if (name === "delete_page" || name === "merge_change_request") calls = (await prepared()).calls;
    answers.length = 0;
    const { isError, text } = await call(setting.tokens.admin, name, calls[name]);
    expect({ name, isError, text }).toEqual({ name, isError: false, text });
    const used = answers.map(({ operation }) => operation).filter((it) => it !== undefined);
    expect(used.length).toBeGreaterThan(0);
    expect(operationsByTool[name]).toEqual(expect.arrayContaining(used));
    // The first one is what a caller must be allowed to do, so that the tool is offered.
    expect(used).toContain(
      operationsByTool[name][0] === "postCommentOnChangeRequest"
        ? operationsByTool[name][1]
        : operationsByTool[name][0],
    );
  }
});

test("a caller who may not do something over REST cannot do it with a tool, and learns no more", async () => {
  const { calls } = await prepared();
  const useless = await scoped("admin", ["jobs:read"]);
  const before = await dump(setting.storage);
  const refusals = new Set<string>();
  for (const [name, given] of Object.entries(calls)) {
    for (const person of ["stranger", "rival", "guest"] as const) {
      const { isError, text } = await call(setting.tokens[person], name, given);
      const mayList = person === "guest" && name === "list_spaces";
      expect({ name, person, isError }).toEqual({ name, person, isError: !mayList });
      if (!mayList) refusals.add(text);
    }
    const limited = await call(useless, name, given);
    expect({ name, isError: limited.isError }).toEqual({ name, isError: true });
    expect(limited.text).toMatch(
      /^The token's scopes don't include this operation. It requires `[a-z-]+:(read|write)`\.$/,
    );
    expect((await call(null, name, given)).status).toBe(401);
    expect((await call("unknown", name, given)).status).toBe(401);
  }
  // Hidden is told as absent is.
  expect([...refusals].sort()).toEqual([
    "No content found at this URL, or you don't have access to it.",
    "Organization not found, or you don't have access to it.",
    "Space not found, or you don't have access to it.",
  ]);
  expect(await dump(setting.storage)).toEqual(before);
  const absent = "spc_000000000000000000000000";
  const { text } = await call(setting.tokens.admin, "list_pages", { space: absent });
  expect(refusals).toContain(text);
});

test("a tool is offered only with its scope, and merging only to those who may merge", async () => {
  const reading = ["list_spaces", "search", "list_pages", "read_page", "find_by_url", "list_recent_changes"];
  const reads = await scoped("admin", ["organizations:read", "spaces:read", "revisions:read", "search:read"]);
  expect(await listed(reads)).toEqual(reading);
  expect(await listed(await scoped("admin", ["jobs:read"]))).toEqual([]);
  const proposes = await scoped("admin", ["change-requests:write"]);
  expect(await listed(proposes)).not.toContain("merge_change_request");
  const all = agentTools.map(({ name }) => name);
  const withoutMerge = all.filter((name) => name !== "merge_change_request");
  for (const person of ["admin", "review"] as const) expect(await listed(setting.tokens[person])).toEqual(all);
  for (const person of ["edit", "read", "guest", "stranger"] as const)
    expect(await listed(setting.tokens[person])).toEqual(withoutMerge);
  // A reader is refused in the words of the API.
  const { calls } = await prepared();
  for (const name of ["open_change_request", "create_page", "request_review"] as const)
    expect(await call(setting.tokens.read, name, calls[name])).toMatchObject({
      isError: true,
      text: "Your role doesn't allow this action.",
    });
  // Without the scope for comments the rest of a change request is shown.
  const some = await scoped("edit", ["change-requests:read"]);
  const shown = await call(some, "read_change_request", calls.read_change_request);
  expect(shown).toMatchObject({ isError: false });
  expect(shown.text).toContain("Comments: you may not read them.");
  const asReader = await call(setting.tokens.read, "read_change_request", calls.read_change_request);
  expect(asReader).toMatchObject({ isError: false, structured: { subject: "A proposal" } });
});

test("pages are created, moved, edited and deleted in the change request only", async () => {
  const { calls: _, page: __, version: ___, ...place } = await prepared();
  const token = setting.tokens.edit;
  const { space, changeRequest } = place;
  const at = { space, changeRequest };
  const text = "one two one\n\nthree $& four\n";
  const made = await call(token, "create_page", { ...at, title: "Guide", markdown: text, description: "About it." });
  const { page } = made.structured;
  const below = await call(token, "create_page", { ...at, title: "Below", markdown: "x", parent: page, position: 0 });
  expect(below.isError).toBe(false);
  const readAgain = async () => (await call(token, "read_page", { ...at, page })).structured;
  expect(await readAgain()).toMatchObject({ title: "Guide", description: "About it.", markdown: text });

  const edit = async (given: object, version?: string) =>
    call(token, "edit_page", { ...at, page, version: version ?? (await readAgain()).version, ...given });
  const refusals: readonly [given: object, says: string][] = [
    [{ edits: [{ find: "one", replace: "1" }] }, "more than once"],
    [{ edits: [{ find: "absent", replace: "1" }] }, "does not stand in the page"],
    [{ edits: [{ find: "", replace: "1" }] }, "does not stand in the page"],
    [
      {
        edits: [
          { find: "two", replace: "2" },
          { find: "two", replace: "3" },
        ],
      },
      "edits[1].find",
    ],
    [{ edits: [{ find: "two", replace: "2" }], markdown: "x" }, "either `edits` or `markdown`"],
    [{}, "Nothing to change"],
  ];
  for (const [given, says] of refusals) {
    const refused = await edit(given);
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain(says);
  }
  expect((await readAgain()).markdown).toBe(text);
  expect(await edit({ title: "Other" }, "0123456789abcdef")).toMatchObject({
    isError: true,
    structured: { refused: "stale" },
  });

  await edit({
    edits: [
      { find: "one", replace: "$1", all: true },
      { find: "three $& four", replace: "$&" },
    ],
  });
  expect((await readAgain()).markdown).toBe("$1 two $1\n\n$&\n");
  await edit({ title: "Handbook", description: "" });
  expect(await readAgain()).toMatchObject({ title: "Handbook", markdown: "$1 two $1\n\n$&\n" });
  expect((await readAgain()).description).toBeUndefined();
  const whole = await edit({ markdown: "# Anew\n\nText.\n" });
  expect(whole.structured).toMatchObject({ title: "Anew", version: (await readAgain()).version });

  await call(token, "move_page", { ...at, page: install, parent: page });
  const tree = await call(token, "list_pages", at);
  expect(tree.structured.pages.map(({ title, depth }: { title: string; depth: number }) => [title, depth])).toEqual([
    ["Upgrade", 0],
    ["Anew", 0],
    ["Below", 1],
    ["Install", 1],
  ]);
  expect(tree.text).toContain(`  - Below — \`${below.structured.page}\``);
  const branch = await call(token, "list_pages", { ...at, below: page, offset: 1 });
  expect(branch.structured).toMatchObject({ total: 2, pages: [{ id: install, depth: 0 }] });
  const intoItself = await call(token, "move_page", { ...at, page, parent: below.structured.page });
  expect(intoItself.isError).toBe(true);

  const { version } = await readAgain();
  await edit({ title: "Later" });
  expect(await call(token, "delete_page", { ...at, page, version })).toMatchObject({ isError: true });
  expect((await call(token, "delete_page", { ...at, page, version: (await readAgain()).version })).isError).toBe(false);
  expect((await call(token, "list_pages", at)).structured.total).toBe(1);
  expect((await call(token, "list_pages", { space })).structured.total).toBe(2);
});

test("simultaneous edits of different pages all succeed, and of one page only the first does", async () => {
  const { space, changeRequest, page, version } = await prepared();
  const token = setting.tokens.edit;
  const other = (await call(token, "read_page", { space, changeRequest, path: "upgrade" })).structured;
  const at = { space, changeRequest };
  const told = await Promise.all([
    call(token, "edit_page", { ...at, page, version, title: "First" }),
    call(token, "edit_page", { ...at, page: other.id, version: other.version, title: "Aside" }),
    call(token, "edit_page", { ...at, page, version, title: "Second" }),
  ]);
  expect(told[1]!.isError).toBe(false);
  expect([told[0]!.isError, told[2]!.isError].sort()).toEqual([false, true]);
  const { title } = (await call(token, "read_page", { ...at, page })).structured;
  expect(title).toBe(told[0]!.isError ? "Second" : "First");
  expect(told.find(({ isError }) => isError)!.structured.page.title).toBe(title);
});

test("merging applies what was read, and conflicts are reported and resolved by editing", async () => {
  const token = setting.tokens.review;
  const { space, changeRequest, page, version, revision, commentId } = await prepared("review");
  const at = { space, changeRequest };
  const title = async () => (await ask("admin", `GET /v1/spaces/${space}/content/page/${page}`)).body.title;
  await call(token, "edit_page", { ...at, page, version, title: "By the agent" });
  const late = await call(token, "merge_change_request", { ...at, revision });
  expect(late).toMatchObject({ isError: true, structured: { refused: "stale" } });
  expect(late.text).toMatch(/^Nothing was merged: the change request has changed/);

  await ask("admin", `POST /v1/spaces/${space}/content`, {
    changes: [{ operation: "update_page", page, title: "By a person" }],
  });
  const now = late.structured.revision;
  const conflicting = await call(token, "merge_change_request", { ...at, revision: now });
  expect(conflicting).toMatchObject({ isError: true, structured: { result: "conflicts" } });
  const sides = "here “# By the agent”, in the space “# By a person”";
  expect(conflicting.text).toContain(sides);
  expect(await title()).toBe("By a person");

  expect(conflicting.text).toContain("there is 1 conflict with what");

  const updated = await call(token, "update_change_request", at);
  expect(updated.structured.result).toBe("conflicts");
  expect(updated.text).toContain("with 1 conflict to settle");
  expect(updated.text).toContain(sides);
  const read = (await call(token, "read_page", { ...at, page })).structured;
  await call(token, "edit_page", { ...at, page, version: read.version, title: "By both" });
  const answered = await call(token, "comment", { ...at, markdown: "Settled.", replyTo: commentId, resolve: true });
  expect(answered.isError).toBe(false);
  const shown = await call(token, "read_change_request", at);
  expect(shown.structured).toMatchObject({
    conflicts: 0,
    comments: [{ id: commentId, status: "resolved", replies: [{ by: "The review", markdown: "Settled." }] }],
  });
  const merged = await call(token, "merge_change_request", { ...at, revision: shown.structured.revision });
  expect(merged.text).toMatch(/^Merged/);
  expect(await title()).toBe("By both");
  const twice = await call(token, "merge_change_request", { ...at, revision: shown.structured.revision });
  expect(twice.isError).toBe(true);
  const mixed = await call(token, "comment", { ...at, markdown: "x", replyTo: commentId, page });
  expect(mixed.isError).toBe(true);
});

test("a tree of pages that HTTP would stream is listed whole", async () => {
  const made = (await ask("admin", `POST /v1/orgs/${setting.org}/spaces`, { title: "Of many pages" })).body.id;
  const title = "x".repeat(200);
  const changes = Array.from({ length: 50 }, () => ({ operation: "insert_page", title, document: { markdown: "x" } }));
  for (let i = 0; i < 4; i++)
    expect((await ask("admin", `POST /v1/spaces/${made}/content`, { changes })).status).toBe(200);
  const { body } = await ask("admin", `GET /v1/spaces/${made}/content/pages?metadata=false`);
  expect(JSON.stringify(body).length).toBeGreaterThan(64 * 1024);
  const listed = await call(setting.tokens.admin, "list_pages", { space: made });
  expect(listed).toMatchObject({ isError: false, structured: { total: 200 } });
});

test("lists have a title, a count and the right plural", async () => {
  const token = setting.tokens.admin;
  const { title } = (await ask("admin", `GET /v1/orgs/${setting.org}`)).body;
  const listed = await call(token, "list_spaces", { organization: setting.org });
  expect(listed.text).toContain(`Organization ${title} \`${setting.org}\``);
  expect(listed.structured.organizations[0].title).toBe(title);
  // The title is left out where a token may not read it, and nothing else is.
  const narrow = await call(await scoped("admin", ["spaces:read"]), "list_spaces", { organization: setting.org });
  expect(narrow.text).toMatch(new RegExp(`^Organization \`${setting.org}\`\\n- `));
  expect(narrow.structured.organizations[0].spaces).toEqual(listed.structured.organizations[0].spaces);

  const made = (await ask("admin", `POST /v1/orgs/${setting.org}/spaces`, { title: "Of one page" })).body.id;
  const changes = [{ operation: "insert_page", title: "Only", document: { markdown: "Words." } }];
  await ask("admin", `POST /v1/spaces/${made}/content`, { changes });
  await call(token, "open_change_request", { space: made, subject: "One" });
  const page = (await call(token, "list_pages", { space: made })).structured.pages[0].id;
  expect((await call(token, "list_pages", { space: made })).text).toMatch(/^1 page\.\n/);
  expect((await call(token, "read_page", { space: made, page, part: 2 })).text).toBe("The page has only 1 part.");
  const nobody = await call(token, "find_people", { space: made, search: "nobody of this name" });
  expect(nobody.text).toBe("Nobody was found.");
});

test("find_people reports that nobody was found when all people on the first page are disabled", async () => {
  const user = { id: "usr_1", displayName: "Ann", email: "ann@example.com" };
  const members = { items: [{ user, role: "read", disabled: true }], next: { page: "more" } };
  const callApi = async (name: string) => ({ value: name === "listMembers" ? members : { organization: "org_1" } });
  const { text } = await findPeopleTool.bind(callApi as never).call({ space: "spc_1" } as never);
  expect(text).toBe("Nobody was found.\n\nThere are more: pass `search` to find somebody.");
});

test("a long page comes in parts that add up to the whole page", async () => {
  const { space, changeRequest } = await prepared();
  const token = setting.tokens.edit;
  const markdown = Array.from(
    { length: 70 },
    (_, i) => `## Section ${i}\n\n${"Some words about it. ".repeat(50)}\n\n`,
  ).join("");
  const { page } = (await call(token, "create_page", { space, changeRequest, title: "Long", markdown })).structured;
  let whole = "";
  for (let part = 1; ; part++) {
    const { structured, text } = await call(token, "read_page", { space, changeRequest, page, part });
    whole += structured.markdown;
    expect(structured.markdown.startsWith("## Section")).toBe(true);
    if (part === structured.parts) {
      expect(text).toContain(`part ${part} of ${part}, the last`);
      break;
    }
    expect(text).toContain(`goes on with \`part: ${part + 1}\``);
  }
  expect(whole).toBe(markdown);
  expect(await call(token, "read_page", { space, changeRequest, page, part: 99 })).toMatchObject({ isError: true });
});

test("the parts of a text are short enough and add up to the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.integer({ min: 2, max: 20 }), (text, length) => {
      const parts = splitText(text, length);
      expect(parts.join("")).toBe(text);
      for (const part of parts) {
        expect(part.length).toBeLessThanOrEqual(length);
        if (parts.length > 1) expect(part).not.toMatch(/[\uD800-\uDBFF]$/);
      }
    }),
    { numRuns: 100 },
  );
});

test("hostile arguments are rejected, and none causes a failure", async () => {
  const { calls } = await prepared();
  const hostile: unknown[] = [
    ...[7, null, true, [], {}, "", "..", ".", "a/b", "%2e%2e", "__proto__", "constructor", "\u0000", "🙂".repeat(50)],
    ..."x".repeat(3000).match(/.*/g)!,
  ];
  const { space: _, ...withoutSpace } = calls.read_change_request;
  for (const space of hostile) {
    const { isError, status } = await call(setting.tokens.admin, "read_change_request", { ...withoutSpace, space });
    expect({ space, status, isError }).toEqual({ space, status: 200, isError: true });
  }
  for (const given of hostile.filter((it) => it !== 7)) {
    const path = { space, path: given };
    const { isError } = await call(setting.tokens.admin, "read_page", path);
    expect({ given, isError }).toEqual({ given, isError: true });
  }
  for (const name of Object.keys(calls)) {
    const extra = { ...calls[name as keyof typeof calls], surprise: 1 };
    expect((await call(setting.tokens.admin, name, extra)).text).toContain("arguments.surprise: Unknown field.");
  }
  const since = await call(setting.tokens.admin, "list_recent_changes", { space, since: "yesterday" });
  expect(since).toMatchObject({ isError: true });
  const soon = await call(setting.tokens.admin, "list_recent_changes", { space, since: "2100-01-01" });
  expect(soon).toMatchObject({ isError: false, text: "Nothing has changed." });
});

test("a session cookie works only from our own pages, and nothing works without credentials", async () => {
  const at = `${origin}/v1/mcp`;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const send = (headers: Record<string, string>, method = "POST") =>
    fetch(at, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(method === "POST" ? { body } : {}),
    });
  const person = browser(signIn, origin);
  const link = new URL(await signIn.createSignInLink(setting.ids.edit));
  const page = await person.get(link.pathname + link.search);
  const hidden = [...page.text.matchAll(/type="hidden" name="(.*?)" value="(.*?)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  await person.post(link.pathname, Object.fromEntries(hidden));
  const cookie = [...person.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  expect((await send({ cookie, origin })).status).toBe(200);
  expect((await send({ cookie, origin: "https://evil.example" })).status).toBe(403);
  expect((await send({ cookie })).status).toBe(403);
  const authorization = `Bearer ${setting.tokens.read}`;
  expect((await send({ authorization, origin: "https://app.example" })).status).toBe(200);
  for (const method of ["GET", "DELETE"]) {
    const refused = await send({ authorization }, method);
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST"]);
  }
  const unknown = await send({});
  expect(unknown.status).toBe(401);
  const hint = `${origin}/.well-known/oauth-protected-resource/v1/mcp`;
  expect(unknown.headers.get("www-authenticate")).toBe(`Bearer resource_metadata="${hint}"`);
  const metadata = await (await fetch(hint)).json();
  expect(metadata).toMatchObject({ resource: at, authorization_servers: [origin] });
  expect(metadata.scopes_supported).not.toContain("tokens:write");
});

test("the server is found below the base path, and a host with its own users is not open to other sites", async () => {
  const { api } = open(memoryStorage(), {
    basePath: "/docs",
    cors: { origins: ["https://app.example"] },
    rateLimit: { limit: 3 },
    authenticate: () => ({ id: "u", displayName: "U", email: "u@example.com" }),
  });
  const send = (path: string, method: string, headers: Record<string, string> = {}) => {
    const body = method === "POST" ? JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }) : null;
    return api.fetch(
      new Request(`http://localhost:3000${path}`, {
        method,
        headers: { "content-type": "application/json", ...headers },
        body,
      }),
    );
  };
  const preflight = await send("/docs/v1/mcp", "OPTIONS", { origin: "https://app.example" });
  expect([preflight.status, preflight.headers.get("allow")]).toEqual([204, "POST, OPTIONS"]);
  expect(preflight.headers.get("access-control-allow-headers")).toContain("mcp-protocol-version");
  expect((await send("/docs/v1/mcp", "POST")).status).toBe(200);
  expect((await send("/docs/v1/mcp/", "POST", { origin: "https://evil.example" })).status).toBe(403);
  expect((await send("/docs/v1/mcp/more", "POST")).status).toBe(404);
  expect((await send("/other/v1/mcp", "POST")).status).toBe(404);
  expect((await send("/docs/v1/mcp", "POST")).status).toBe(200);
  expect((await send("/docs/v1/mcp", "POST")).status).toBe(429);
});

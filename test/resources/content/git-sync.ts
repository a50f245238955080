// Git synchronization as stories: both directions, what is told of it, and what is refused.

import { ask, create, defineStory, get, type Scene, type Story, send } from "../scenario";
import { client, REPOSITORY, remote, WITH_PASSWORD } from "./git-sync-remote";

const book = {
  "SUMMARY.md": "# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n",
  "README.md": "# Home\n\nWelcome.\n",
  "guide.md": "# Guide\n\nFirst part.\n\nSecond part.\n",
};

const space: Scene = ask("create", "POST /v1/orgs/{org}/spaces", 201, {
  send: { title: "Docs" },
  keep: { space: "id", first: "revision" },
});

const place = { url: WITH_PASSWORD, ref: "refs/heads/main" };
const sync = (direction: "import" | "export", more: object = {}, rest: Partial<Scene> = {}): Scene =>
  ask("create", `POST /v1/spaces/{space}/git/${direction}`, 204, {
    send: { ...place, ...(direction === "export" ? { commitMessage: "From here" } : {}), ...more },
    after: 1000,
    ...rest,
  });

const info = (see: object, rest: Partial<Scene> = {}): Scene =>
  ask("read", "GET /v1/spaces/{space}/git/info", 200, {
    see: { object: "git-info", repoName: "acme/docs", url: REPOSITORY, ref: "refs/heads/main", ...see },
    ...rest,
  });

const done = (direction: "import" | "export") => ({ waiting: 0, lastRun: { direction, status: "completed" } });

const pages = (...titles: string[]): Scene =>
  get("read", "/v1/spaces/{space}/content/pages", {
    pages: (found: { title: string }[]) => JSON.stringify(found.map(({ title }) => title)) === JSON.stringify(titles),
  });

const published = (see: object): Scene =>
  get(null, "/v1/orgs/{org}/sites/{site}/site-spaces/{siteSpace}/page/{guide}", see);

const refused = (send: object, path: string): Scene =>
  sync("import", send, { expect: 400, reason: "invalid_request", see: { error: { issues: [{ path }] } } });

const options = { fetch: async () => new Response(null, { status: 404 }), git: { client } };

/** A story that begins with a repository of its own. */
const story = (title: string, scenes: readonly Scene[], files: Record<string, string> = book): Story => ({
  title,
  options,
  async before() {
    remote.reset(files);
    return {};
  },
  scenes: [space, ...scenes],
});

const edit = (markdown: string): Scene[] => [
  ask("read", "GET /v1/spaces/{space}/content/path/guide", 200, { keep: { guide: "id" } }),
  send("edit", "POST /v1/spaces/{space}/content", 200, {
    changes: [{ operation: "update_page", page: "{guide}", document: { markdown } }],
  }),
];

export const stories: Story[] = [
  story("a branch is imported; the space shows the repository, and nobody sees the password", [
    ask("read", "GET /v1/spaces/{space}/git/info", "404 git_sync_not_found"),
    sync("import", { gitInfo: { provider: "github" } }),
    info({ ...done("import"), installationProvider: "github" }),
    pages("Home", "Guide"),
    ask("read", "GET /v1/spaces/{space}", 200, {
      see: { gitSync: { repoName: "acme/docs", installationProvider: "github", url: REPOSITORY } },
      keep: { revision: "revision" },
    }),
    get("read", "/v1/spaces/{space}/revisions/{revision}", {
      git: { message: "Over there", createdByService: false, ref: "refs/heads/main" },
    }),
  ]),
  story("readers are shown where a page is changed in its repository, if the site shows that", [
    sync("import", { gitInfo: { provider: "github" }, repoTreeURL: "https://github.com/acme/docs/tree/main/" }),
    ask("read", "GET /v1/spaces/{space}/content/path/guide", 200, { keep: { guide: "id" } }),
    create("admin", "POST /v1/orgs/{org}/sites", "site", { title: "Docs", visibility: "public", spaces: ["{space}"] }),
    ask("admin", "POST /v1/orgs/{org}/sites/{site}/publish", 200),
    ask("admin", "GET /v1/orgs/{org}/sites/{site}/site-spaces", 200, { keep: { siteSpace: "items.0.id" } }),
    published({ editURL: (url: unknown) => url === undefined }),
    send("admin", "PUT /v1/orgs/{org}/sites/{site}/customization", 200, { git: { showEditLink: true } }),
    published({ editURL: "https://github.com/acme/docs/edit/main/guide.md" }),
  ]),
  story(
    "a space is exported to a branch that is not there yet, once",
    [
      send("edit", "POST /v1/spaces/{space}/content", 200, {
        changes: [{ operation: "insert_page", title: "Start", document: { markdown: "Hello." } }],
      }),
      sync("export"),
      info({ ...done("export"), commit: () => remote.commits.length === 1 && remote.text("README.md") !== undefined }),
      sync("export"),
      info({ ...done("export"), commit: () => remote.commits.length === 1 }),
      sync("import"),
      pages("Start"),
    ],
    {},
  ),
  story("an edit here and one there meet in a merge", [
    sync("import"),
    ...edit("# Guide\n\nFirst part, ours.\n\nSecond part.\n"),
    info({
      waiting: () => {
        remote.commit({ "guide.md": "# Guide\n\nFirst part.\n\nSecond part, theirs.\n" });
        return true;
      },
    }),
    sync("export"),
    info({
      ...done("export"),
      commit: () => remote.text("guide.md") === "# Guide\n\nFirst part, ours.\n\nSecond part, theirs.\n",
    }),
  ]),
  story("somebody pushes at the same time: what they brought is merged, and then it is pushed", [
    sync("import"),
    ...edit("# Guide\n\nOurs.\n\nSecond part.\n"),
    info({
      waiting: () => {
        remote.beforePush(() => remote.commit({ "README.md": "# Home\n\nTheirs.\n" }));
        return true;
      },
    }),
    sync("export"),
    info({
      ...done("export"),
      commit: () =>
        remote.text("README.md") === "# Home\n\nTheirs.\n" &&
        remote.text("guide.md") === "# Guide\n\nOurs.\n\nSecond part.\n",
    }),
  ]),
  story("what ends without success is told: a password, a branch, a repository, a book", [
    sync("import", { url: WITH_PASSWORD.replace("s3cret", "wr0ng") }),
    info({
      waiting: 0,
      lastRun: { status: "failed", error: "git.example does not accept the name and the password." },
    }),
    sync("import", { ref: "refs/heads/other" }),
    info({ lastRun: { status: "failed" }, ref: "refs/heads/other" }),
    sync("export", { url: "https://git.example/other.git" }),
    get("read", "/v1/spaces/{space}/git/info", {
      repoName: "other",
      lastRun: { direction: "export", status: "failed" },
    }),
    sync("import", { repoProjectDirectory: "empty" }),
    info({ lastRun: { status: "failed" } }),
    sync("import"),
    info(done("import")),
  ]),
  story("synchronizing is ended, and the content stays; ending it again is no error", [
    sync("import"),
    ask("edit", "DELETE /v1/spaces/{space}/git/legacy-installation", 403),
    ask("create", "DELETE /v1/spaces/{space}/git/legacy-installation", 204),
    ask("create", "DELETE /v1/spaces/{space}/git/legacy-installation", 204),
    ask("read", "GET /v1/spaces/{space}/git/info", "404 git_sync_not_found"),
    pages("Home", "Guide"),
  ]),
  story("a locked space takes imports", [
    send("create", "PATCH /v1/spaces/{space}", 200, { editMode: "locked" }),
    sync("import"),
    pages("Home", "Guide"),
  ]),
  story("what cannot be a repository, a branch or a folder is refused", [
    refused({ url: "http://git.example/acme/docs.git" }, "body.url"),
    refused({ url: "ssh://git@git.example/acme/docs.git" }, "body.url"),
    refused({ ref: "main" }, "body.ref"),
    refused({ ref: "refs/heads/-x" }, "body.ref"),
    refused({ repoProjectDirectory: "a/../../b" }, "body.repoProjectDirectory"),
    refused({ gitInfo: { provider: "elsewhere" } }, "body.gitInfo.provider"),
    refused({ repoCommitURL: "https://ada:s3cret@git.example/" }, "body.repoCommitURL"),
    refused({ timestamp: "yesterday" }, "body.timestamp"),
    sync("export", { commitMessage: "" }, { expect: 400, reason: "invalid_request" }),
    sync("import", {}, { as: "edit", expect: 403 }),
    sync("export", {}, { as: "edit", expect: 403 }),
    ask("read", "GET /v1/spaces/{space}/git/info", "404 git_sync_not_found"),
  ]),
  defineStory("without a way out nothing is synchronized", [
    space,
    sync("import", {}, { expect: 412, reason: "no_outbound_fetch" }),
  ]),
];

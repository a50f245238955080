// A small site as machines meet it: two languages, pages that are hidden, closed to most or kept out of indexes, a reusable
// content, a file, a variable, and a page with updates.

import { memoryStorage } from "octavo/memory";
import { createSite } from "octavo/site";
import { inSeconds, schema, sign } from "../resources/sites/site-stage";
import { HOUR, setUp } from "../support/setting";

/** The smallest picture there is. */
export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export type Stage = Awaited<ReturnType<typeof openStage>>;

const START = [
  'Hello <code class="expression">space.vars.product</code>, see [setup](./setup.md), [a part](./setup.md#second), [here](#below).',
  "",
  '{% include "shared" %}',
  "",
  "![A dot](./dot)",
  "",
  "{% if visitor.claims.isBeta %}",
  "For betas alone.",
  "{% endif %}",
  "",
  "## Below",
  "",
  "To [the closed page](./beta.md) and [elsewhere](https://example.org/x?a=1&b=2).",
].join("\n");

const CHANGES = [
  '{% updates format="full" %}',
  '{% update date="2026-02-03" tags="new,fixed" %}',
  "## Faster <everything>",
  "",
  "See [setup](./start/setup.md) & more.",
  "{% endupdate %}",
  '{% update date="2026-01-02" %}',
  "Small things.",
  "{% endupdate %}",
  "{% endupdates %}",
].join("\n");

const page = (title: string, markdown: string, more: object = {}) => ({
  operation: "insert_page",
  title,
  document: { markdown },
  ...more,
});

export async function openStage() {
  const setting = await setUp(memoryStorage());
  const { ask, org, api } = setting;
  const done = async (route: string, send?: unknown) => {
    const answer = await ask("admin", route, send);
    if (answer.status >= 300) throw new Error(`${route}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const guide = (await done(`POST /v1/orgs/${org}/spaces`, { title: "Guide", language: "en" })).id as string;
  const german = (await done(`POST /v1/orgs/${org}/spaces`, { title: "Anleitung", language: "de" })).id as string;
  await done(`POST /v1/spaces/${guide}/content`, {
    changes: [
      { operation: "set_variables", variables: { product: "Octopus & Co" } },
      {
        operation: "insert_reusable_content",
        title: "Shared",
        document: { markdown: "Said *in many* places." },
        ref: "shared",
      },
      { operation: "insert_files", files: [{ name: "dot.png", contentType: "image/png", base64: PIXEL, ref: "dot" }] },
      page("Start", START, { ref: "start", description: "Begin <here>." }),
      page("Setup", "## First\n\nOne.\n\n## Second\n\nTwo.", { into: "start" }),
      page("Secret", "Nobody lists this.", { hidden: true, ref: "secret" }),
      page("Below secret", "Nor this.", { into: "secret" }),
      page("Beta", "Closed words.", { condition: "visitor.claims.isBeta" }),
      page("Unsearched", "Kept out of indexes.", { noIndex: true }),
      page("Unindexed", "Kept out of search engines.", { noRobotsIndex: true }),
      page("Changes", CHANGES),
      { operation: "insert_group", title: "More", ref: "more" },
      page("Last", "The *end*.", { into: "more" }),
    ],
  });
  await done(`POST /v1/spaces/${german}/content`, { changes: [page("Anfang", "Hallo.", { slug: "start" })] });
  const id = (
    await done(`POST /v1/orgs/${org}/sites`, { title: "Docs", visibility: "public", spaces: [guide, german] })
  ).id as string;
  const at = `/v1/orgs/${org}/sites/${id}`;
  await done(`PATCH ${at}`, { adaptiveContent: { enabled: true } });
  await done(`PUT ${at}/adaptive-schema`, { jsonSchema: schema });
  const { privateKey } = await done(`POST ${at}/publishing/auth/regenerate`);
  const root = `${(await done(`POST ${at}/publish`)).urls.published}/`;
  /** Of a visitor who sees everything. */
  const jwt = await sign({ ...setting, privateKey }, { isBeta: true }, { exp: inSeconds(setting, HOUR) });
  const site = createSite(api);
  /** Asks the site for a path below it. */
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await site.fetch(new Request(root + path, { headers, redirect: "manual" }));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { ...setting, site, at, id, root, guide, jwt, get };
}

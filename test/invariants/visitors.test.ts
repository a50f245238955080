// Law 7, for the tokens of visitors: what such a token gets from every operation, by the audience that let the visitor in,
// and when the visit is over. The list is written out, so that an operation which opens to visitors is seen by whoever reads
// the change. `visitors.tsv` has a row for each operation. `open` is the answer that everybody gets without a token.

import { readFileSync } from "node:fs";
import { memoryStorage } from "octavo/memory";
import { beforeAll, describe, expect, test } from "vitest";
import { allOperations } from "../../src/operations";
import { web } from "../resources/content/imports-web";
import { sign } from "../resources/sites/site-stage";
import { dump, setUp } from "../support/setting";
import { expectEqual } from "./entries";
import { type Cast, type Example, examples, mute, parrot, prepare } from "./examples";

const table = allOperations();
const [head, ...lines] = readFileSync(new URL("visitors.tsv", import.meta.url), "utf8")
  .trim()
  .split("\n");
const kinds = head!.split("\t").slice(1);
const listed = lines.map((line) => line.split("\t") as [name: string, ...told: string[]]);

const MINUTES = 60_000;

let cast: Cast;
let at: string;
let url: string;

beforeAll(async () => {
  cast = await prepare(await setUp(memoryStorage(), { fetch: web, translator: mute, ask: parrot }));
  const { ask, org, content, space, spec } = cast;
  at = `/v1/orgs/${org}/sites/${cast.site}`;
  await ask("admin", `PATCH /v1/orgs/${org}/openapi/${spec}`, { visibility: "public" });
  const markdown = [
    `{% include "/reusable-contents/${content.reusable}" %}`,
    `{% openapi-operation spec="${spec}" path="/pets" method="get" %}\n{% endopenapi-operation %}`,
  ].join("\n\n");
  const changes = [{ operation: "insert_page", title: "Names things", document: { markdown } }];
  expect((await ask("admin", `POST /v1/spaces/${space}/content`, { changes })).status).toBe(200);
  url = (await ask("admin", `GET ${at}`)).body.urls.published;
});

async function tokenAt(there: string, visitor: object = {}): Promise<string> {
  const { body } = await cast.ask(null, "POST /v1/urls/published", { url: there, visitor });
  expect(body, there).toHaveProperty("apiToken");
  return body.apiToken;
}

/** Lets a visitor in who belongs to the audience, or ends the visit. Gives the token. */
const arrive: Record<string, () => Promise<string>> = {
  public: () => tokenAt(url),
  async unlisted() {
    await cast.ask("admin", `PATCH ${at}`, { visibility: "unlisted" });
    return tokenAt(url);
  },
  async "share-link"() {
    await cast.ask("admin", `PATCH ${at}`, { visibility: "share-link" });
    const { key } = (await cast.ask("admin", `POST ${at}/share-links`, { name: "Visitors" })).body;
    return tokenAt(`${url}/${key}`);
  },
  async "visitor-auth"() {
    const { privateKey } = (await cast.ask("admin", `POST ${at}/publishing/auth/regenerate`)).body;
    await cast.ask("admin", `PATCH ${at}`, { visibility: "visitor-auth" });
    return tokenAt(url, { jwtToken: await sign({ ...cast, privateKey }) });
  },
  async unpublished() {
    await cast.ask("admin", `PATCH ${at}`, { visibility: "public" });
    const token = await tokenAt(url);
    await cast.ask("admin", `POST ${at}/unpublish`);
    return token;
  },
  async "other site"() {
    const { ask, org } = cast;
    await ask("admin", `POST ${at}/publish`);
    const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Apart" })).body.id;
    const other = (await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Apart", spaces: [space] })).body.id;
    return tokenAt((await ask("admin", `POST /v1/orgs/${org}/sites/${other}/publish`)).body.urls.published);
  },
  async expired() {
    const token = await tokenAt(url);
    cast.clock.forward(11 * MINUTES);
    return token;
  },
};

/** One request for each operation: of what is shown where a visitor reads it, and with a document as visitors know it. */
async function requests(token: string): Promise<Record<string, Example>> {
  const { ask, askWith, space, content } = cast;
  const { revision } = (await ask("admin", `GET /v1/spaces/${space}`)).body;
  const page = (await askWith(token, `GET /v1/spaces/${space}/content/page/${content.page}`)).body;
  return examples({ ...cast, content: { ...content, revision, document: page.documentId ?? content.document } });
}

describe("law 7: a visitor token opens what the snapshot lists", () => {
  test("the snapshot is complete, and every operation declared for visitors is open to all audiences", () => {
    expect(listed.map(([name]) => name)).toEqual(table.map(({ name }) => name).sort());
    const opened = listed.filter(([, ...told]) => told.slice(0, 4).every((it) => /^20\d$/.test(it)));
    const declared = table.filter(({ definition: operation }) => operation.spec.allowsVisitors);
    expect(opened.map(([name]) => name)).toEqual(declared.map(({ name }) => name).sort());
  });

  const isFor = ({ allowsVisitors: forVisitors, target: on }: (typeof table)[number]["definition"]["spec"]) =>
    forVisitors || on.allowsAnonymous;
  const specOf = (name: string) => table.find((it) => it.name === name)!.definition.spec;

  test.each(kinds.map((kind, i) => [kind, i] as const))(
    "the token of a visitor of %s opens exactly what the snapshot lists",
    async (kind, i) => {
      const token = await arrive[kind]!();
      const rows = await requests(token);
      const expected = listed.map(([name, ...told]) => [name, told[i]!] as const);

      // What is not for visitors is refused, and changes nothing.
      const before = await dump(cast.storage);
      for (const [name, told] of expected.filter(([name]) => !isFor(specOf(name)))) {
        const { status, body } = await cast.askWith(token, rows[name]!.ask, rows[name]!.send);
        expect([name, String(status)]).toEqual([name, told]);
        expect([name, body.error.reason]).toEqual([name, kind === "expired" ? "token_unknown" : "scope_missing"]);
      }
      expectEqual(await dump(cast.storage), before);

      for (const [name, told] of expected.filter(([name]) => isFor(specOf(name)))) {
        const { ask, send } = rows[name]!;
        const { status } = await cast.askWith(token, ask, send);
        const asNobody = specOf(name).allowsVisitors ? "closed" : (await cast.askWith(null, ask, send)).status;
        expect([name, status === asNobody ? "open" : String(status)]).toEqual([name, told]);
      }
    },
  );
});

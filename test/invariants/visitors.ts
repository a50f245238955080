// Visitors of a published site, one for each audience: how each of them gets a token, and the requests that they make with it.

import { memoryStorage } from "octavo/memory";
import { web } from "../resources/content/imports-web";
import { sign } from "../resources/sites/site-stage";
import { MINUTE, setUp } from "../support/setting";
import { type Cast, type Example, examples, mute, parrot, prepare } from "./examples";

export interface Visitors {
  readonly cast: Cast;
  /** Admits a visitor who belongs to the audience, or ends the visit, and returns the token. Each one follows those before it. */
  readonly arrivals: Readonly<Record<string, () => Promise<string>>>;
  /** Returns one request for each operation: of things that a visitor reads there, and with a document as visitors know it. */
  readonly listRequests: (token: string) => Promise<Record<string, Example>>;
}

/** Publishes a site with everything that visitors read, for one visitor of each kind. */
export async function gatherVisitors(): Promise<Visitors> {
  const cast = await prepare(await setUp(memoryStorage(), { fetch: web, translator: mute, ask: parrot }));
  const { ask, askWith, org, content, space, spec } = cast;
  const at = `/v1/orgs/${org}/sites/${cast.site}`;
  await ask("admin", `PATCH /v1/orgs/${org}/openapi/${spec}`, { visibility: "public" });
  const markdown = [
    `{% include "/reusable-contents/${content.reusable}" %}`,
    `{% openapi-operation spec="${spec}" path="/pets" method="get" %}\n{% endopenapi-operation %}`,
  ].join("\n\n");
  const changes = [{ operation: "insert_page", title: "Names things", document: { markdown } }];
  const changed = await ask("admin", `POST /v1/spaces/${space}/content`, { changes });
  if (changed.status !== 200) throw new Error(JSON.stringify(changed.body));
  const url = (await ask("admin", `GET ${at}`)).body.urls.published;

  async function tokenAt(there: string, visitor: object = {}): Promise<string> {
    const { body } = await ask(null, "POST /v1/urls/published", { url: there, visitor });
    if (typeof body.apiToken !== "string") throw new Error(`${there}: ${JSON.stringify(body)}`);
    return body.apiToken;
  }

  const arrivals = {
    public: () => tokenAt(url),
    async unlisted() {
      await ask("admin", `PATCH ${at}`, { visibility: "unlisted" });
      return tokenAt(url);
    },
    async "share-link"() {
      await ask("admin", `PATCH ${at}`, { visibility: "share-link" });
      const { key } = (await ask("admin", `POST ${at}/share-links`, { name: "Visitors" })).body;
      return tokenAt(`${url}/${key}`);
    },
    async "visitor-auth"() {
      const { privateKey } = (await ask("admin", `POST ${at}/publishing/auth/regenerate`)).body;
      await ask("admin", `PATCH ${at}`, { visibility: "visitor-auth" });
      return tokenAt(url, { jwtToken: await sign({ ...cast, privateKey }) });
    },
    async unpublished() {
      await ask("admin", `PATCH ${at}`, { visibility: "public" });
      const token = await tokenAt(url);
      await ask("admin", `POST ${at}/unpublish`);
      return token;
    },
    async "other site"() {
      await ask("admin", `POST ${at}/publish`);
      const apart = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Apart" })).body.id;
      const other = (await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Apart", spaces: [apart] })).body.id;
      return tokenAt((await ask("admin", `POST /v1/orgs/${org}/sites/${other}/publish`)).body.urls.published);
    },
    async expired() {
      const token = await tokenAt(url);
      cast.clock.forward(11 * MINUTE);
      return token;
    },
  };

  return {
    cast,
    arrivals,
    async listRequests(token) {
      const { revision } = (await ask("admin", `GET /v1/spaces/${space}`)).body;
      const page = (await askWith(token, `GET /v1/spaces/${space}/content/page/${content.page}`)).body;
      return examples({ ...cast, content: { ...content, revision, document: page.documentId ?? content.document } });
    },
  };
}

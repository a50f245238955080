// A published site, and every kind of credentials that a visitor may present.

import { SignJWT, UnsecuredJWT } from "jose";
import type { DocsApiOptions } from "octavo";
import { memoryStorage } from "octavo/memory";
import type { Person, Setting } from "../../support/setting";
import { DAY, setUp } from "../../support/setting";

export type Stage = Awaited<ReturnType<typeof openSite>>;

export const schema = {
  type: "object",
  properties: {
    isBeta: { type: "boolean" },
    plan: { type: "string", enum: ["free", "pro"] },
    seats: { type: "number" },
    unsigned: { type: "object", properties: { isGuest: { type: "boolean" } }, additionalProperties: false },
  },
  additionalProperties: false,
};

/** A published site with adaptive content, one space and one page on it. */
export async function openSite(
  visibility: string,
  { isPublished, ...options }: DocsApiOptions & { isPublished?: boolean } = {},
) {
  const setting = await setUp(memoryStorage(), options);
  const { ask, org } = setting;
  const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Guide" })).body.id as string;
  const changes = [{ operation: "insert_page", title: "Welcome", document: { markdown: "Hello, reader." } }];
  const written = await ask("admin", `POST /v1/spaces/${space}/content`, { changes });
  const made = await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Docs", visibility, spaces: [space] });
  const site = made.body.id as string;
  const at = `/v1/orgs/${org}/sites/${site}`;
  await ask("admin", `PATCH ${at}`, { adaptiveContent: { enabled: true } });
  await ask("admin", `PUT ${at}/adaptive-schema`, { jsonSchema: schema });
  const auth = await ask("admin", `POST ${at}/publishing/auth/regenerate`);
  await ask("admin", `PATCH ${at}`, { visibility: "public" });
  const url = (await ask("admin", `POST ${at}/publish`)).body.urls.published as string;
  await ask("admin", `PATCH ${at}`, { visibility });
  if (isPublished === false) await ask("admin", `POST ${at}/unpublish`);
  const shown = await ask("admin", `GET ${at}/site-spaces`);
  return {
    ...{ ...setting, at, site, space },
    /** Where it is published, without a key. */
    url,
    page: written.body.changes[0].page.id as string,
    siteSpace: shown.body.items[0].id as string,
    /** What signs visitors of the site. */
    privateKey: auth.body.privateKey as string,
  };
}

/** Seconds since 1970, some time from now. */
export function inSeconds({ clock }: Pick<Setting, "clock">, ms: number): number {
  return Math.floor((clock.now.getTime() + ms) / 1000);
}

/** A visitor's JWT as it should be, but for what is said. */
export function sign(
  stage: Pick<Stage, "clock" | "privateKey">,
  claims: object = {},
  options: { readonly key?: string; readonly header?: object; readonly exp?: number | null } = {},
): Promise<string> {
  const jwt = new SignJWT({ ...claims }).setProtectedHeader({ alg: "HS256", ...options.header });
  if (options.exp !== null) jwt.setExpirationTime(options.exp ?? inSeconds(stage, DAY));
  return jwt.sign(new TextEncoder().encode(options.key ?? stage.privateKey));
}

/** A JWT that nobody signed. */
export function unsigned(stage: Pick<Stage, "clock">, claims: object = {}): string {
  return new UnsecuredJWT({ ...claims }).setExpirationTime(inSeconds(stage, DAY)).encode();
}

/** What `ping` gives somebody. */
export async function ping({ ask, org }: Setting, as: Person): Promise<string> {
  return (await ask(as, `POST /v1/orgs/${org}/ping`)).body.serviceVisitorClaims as string;
}

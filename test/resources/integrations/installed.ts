// Integrations behind the tunnel of a receiver, published and installed.

import type { Setting } from "../../support/setting";
import { TUNNEL } from "./receiver";

/** Publishes an integration as an admin, and installs it at home: the path of the installation. */
export async function installAtHome({ ask, org }: Setting, name: string, definition: object): Promise<string> {
  const at = `/v1/integrations/${name}`;
  await ask("admin", `POST ${at}`, definition);
  await ask("admin", `PUT ${at}/dev`, { tunnelUrl: TUNNEL });
  return `${at}/installations/${(await ask("admin", `POST ${at}/installations`, { organization: org })).body.id}`;
}

/** Publishes an integration as the rival, for all, and installs it in the organization: the path of the installation. */
export async function installFromRival(
  { ask, org, otherOrg }: Setting,
  name: string,
  definition: object,
): Promise<string> {
  const at = `/v1/integrations/${name}`;
  await ask("rival", `POST ${at}`, { organization: otherOrg, visibility: "public", ...definition });
  await ask("rival", `PUT ${at}/dev`, { tunnelUrl: TUNNEL, all: true });
  return `${at}/installations/${(await ask("admin", `POST ${at}/installations`, { organization: org })).body.id}`;
}

/** Makes a space, and shows it on a site that is published; `at` is the path of the site. */
export async function showSpace({ ask, org }: Setting, settings: object = {}) {
  const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Guide" })).body.id as string;
  const made = await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Docs", ...settings, spaces: [space] });
  const site = made.body.id as string;
  const at = `/v1/orgs/${org}/sites/${site}`;
  await ask("admin", `POST ${at}/publish`);
  return { space, site, at };
}

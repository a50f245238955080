// Runs a check and prints what it found.

import type { Resources } from "octavo";
import { connected } from "../../connection/connect";
import type { Connection } from "../../connection/connection";
import { organizationOf } from "../../connection/organization";
import type { Surroundings } from "../../framework/command";
import { STATUS, type Status } from "../../framework/errors";
import { counted, printResult } from "../../framework/output";
import type { Given } from "../../framework/parsed-arguments";
import { plain } from "../../framework/plain";
import { checkOrganization } from "./check-organization";
import { checkSpace } from "./check-space";
import type { Finding } from "./finding";

export async function runCheck(given: Given, surroundings: Surroundings): Promise<Status> {
  const { terminal } = surroundings;
  return connected(given, surroundings, async (connection) => {
    const found: Finding[] = [];
    const spaces = await spacesToCheck(given, connection);
    let pages = 0;
    for (const space of spaces) pages += await checkSpace(connection, space, terminal, (it) => found.push(it));
    const isWhole = given.texts("space").length + given.texts("site").length === 0;
    if (isWhole)
      await checkOrganization(connection, await organizationOf(given, connection), terminal, (it) => found.push(it));
    const titles = new Map(spaces.map(({ id, title }) => [id, title]));
    printResult(given, terminal, { spaces: spaces.length, pages, found }, [
      ...found.map((it) => lineOf(it, titles)),
      `Checked ${counted(pages, "page")} in ${counted(spaces.length, "space")}: found ${counted(found.length, "problem")}.`,
    ]);
    return found.length === 0 ? STATUS.done : STATUS.failed;
  });
}

async function spacesToCheck(given: Given, connection: Connection): Promise<Resources.Space[]> {
  const { ask, each } = connection;
  const spaces = new Map<string, Resources.Space>();
  for (const spaceId of given.texts("space")) spaces.set(spaceId, await ask("getSpace", { params: { spaceId } }));
  const sites = given.texts("site");
  const isWhole = spaces.size === 0 && sites.length === 0;
  const organizationId = isWhole || sites.length > 0 ? await organizationOf(given, connection) : "";
  for (const siteId of sites)
    for await (const { space } of each("listSiteSpaces", { params: { organizationId, siteId } }))
      spaces.set(space.id, space);
  if (isWhole)
    for await (const space of each("listSpaces", { params: { organizationId } })) spaces.set(space.id, space);
  return [...spaces.values()];
}

function lineOf({ kind, space, where, reason }: Finding, titles: ReadonlyMap<string, string>): string {
  const place = [space === undefined ? kind : (titles.get(space) ?? space), where].filter(Boolean).join(": ");
  return `${plain(place)}: ${plain(reason)}`;
}

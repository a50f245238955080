// Runs a check and prints what it found.

import type { Resources } from "octavo";
import { runWithConnection } from "../../connection/connect";
import type { ApiConnection } from "../../connection/connection";
import { resolveOrganization } from "../../connection/resolve-organization";
import type { CommandContext } from "../../framework/command";
import type { CommandInput } from "../../framework/command-input";
import { STATUS, type Status } from "../../framework/errors";
import { formatCount, printResult } from "../../framework/output";
import { replaceControlCharacters } from "../../framework/terminal";
import { checkOrganization } from "./check-organization";
import { checkSpace } from "./check-space";
import type { CheckFinding } from "./finding";

export async function runCheck(input: CommandInput, context: CommandContext): Promise<Status> {
  const { terminal } = context;
  return runWithConnection(input, context, async (connection) => {
    const found: CheckFinding[] = [];
    const spaces = await listSpacesToCheck(input, connection);
    let pages = 0;
    for (const space of spaces) pages += await checkSpace(connection, space, terminal, (it) => found.push(it));
    const isWhole = input.texts("space").length + input.texts("site").length === 0;
    if (isWhole)
      await checkOrganization(connection, await resolveOrganization(input, connection), terminal, (it) =>
        found.push(it),
      );
    const titles = new Map(spaces.map(({ id, title }) => [id, title]));
    printResult(input, terminal, { spaces: spaces.length, pages, found }, [
      ...found.map(({ kind, space, where, reason }) => {
        const place = [space === undefined ? kind : (titles.get(space) ?? space), where].filter(Boolean).join(": ");
        return `${replaceControlCharacters(place)}: ${replaceControlCharacters(reason)}`;
      }),
      `Checked ${formatCount(pages, "page")} in ${formatCount(spaces.length, "space")}: found ${formatCount(found.length, "problem")}.`,
    ]);
    return found.length === 0 ? STATUS.done : STATUS.failed;
  });
}

async function listSpacesToCheck(input: CommandInput, connection: ApiConnection): Promise<Resources.Space[]> {
  const { ask, each } = connection;
  const spaces = new Map<string, Resources.Space>();
  for (const spaceId of input.texts("space")) spaces.set(spaceId, await ask("getSpace", { params: { spaceId } }));
  const sites = input.texts("site");
  const isWhole = spaces.size === 0 && sites.length === 0;
  const organizationId = isWhole || sites.length > 0 ? await resolveOrganization(input, connection) : "";
  for (const siteId of sites)
    for await (const { space } of each("listSiteSpaces", { params: { organizationId, siteId } }))
      spaces.set(space.id, space);
  if (isWhole)
    for await (const space of each("listSpaces", { params: { organizationId } })) spaces.set(space.id, space);
  return [...spaces.values()];
}

// Runs a check and prints what it found.

import type { Resources } from "octavo";
import { resolveOrganization, runWithConnection } from "../../connection/connect";
import type { CommandInput } from "../../framework/command";
import { type CommandContext, formatCount, printResult, STATUS, type Status } from "../../framework/command";
import { replaceControlCharacters } from "../../framework/terminal";
import { checkOrganization } from "./check-organization";
import { checkSpace } from "./check-space";
import type { CheckFinding } from "./finding";

export async function runCheck(input: CommandInput, context: CommandContext): Promise<Status> {
  const { terminal } = context;
  return runWithConnection(input, context, async (connection) => {
    const found: CheckFinding[] = [];
    const { ask, each } = connection;
    const [spaceIds, siteIds] = [input.texts("space"), input.texts("site")];
    const isWhole = spaceIds.length + siteIds.length === 0;
    const organizationId = isWhole || siteIds.length > 0 ? await resolveOrganization(input, connection) : "";
    const spacesById = new Map<string, Resources.Space>();
    for (const spaceId of spaceIds) spacesById.set(spaceId, await ask("getSpace", { params: { spaceId } }));
    for (const siteId of siteIds)
      for await (const { space } of each("listSiteSpaces", { params: { organizationId, siteId } }))
        spacesById.set(space.id, space);
    if (isWhole)
      for await (const space of each("listSpaces", { params: { organizationId } })) spacesById.set(space.id, space);
    const spaces = [...spacesById.values()];

    let pages = 0;
    for (const space of spaces) pages += await checkSpace(connection, space, terminal, (it) => found.push(it));
    if (isWhole) await checkOrganization(connection, organizationId, terminal, (it) => found.push(it));
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

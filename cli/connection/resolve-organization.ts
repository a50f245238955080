// Finds the organization that a command is about: the one that is named, or the only one of the user.

import type { CommandInput } from "../framework/command-input";
import { UsageError } from "../framework/errors";
import type { CommandOption } from "../framework/option";
import type { ApiConnection } from "./connection";

export const organizationOption: CommandOption = {
  name: "org",
  value: "id",
  fallback: "the only one, if there is only one",
  summary: "The organization.",
};

export async function resolveOrganization(input: CommandInput, connection: ApiConnection): Promise<string> {
  const named = input.text("org");
  if (named !== undefined) return named;
  const ids: string[] = [];
  for await (const { id } of connection.each("listOrganizations", {})) ids.push(id);
  if (ids.length === 1) return ids[0]!;
  if (ids.length === 0) throw new UsageError("You are in no organization: make one with octavo org create.");
  throw new UsageError(`You are in ${ids.length} organizations: name one with --org, and see octavo org list.`);
}

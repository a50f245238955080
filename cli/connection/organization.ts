// The organization that a command is about: the one that is named, or the only one that there is.

import { wrongUse } from "../framework/errors";
import type { Option } from "../framework/option";
import type { Given } from "../framework/parsed-arguments";
import type { Connection } from "./connection";

export const organizationOption: Option = {
  name: "org",
  value: "id",
  fallback: "the only one, if there is only one",
  summary: "The organization.",
};

export async function organizationOf(given: Given, connection: Connection): Promise<string> {
  const named = given.text("org");
  if (named !== undefined) return named;
  const ids: string[] = [];
  for await (const { id } of connection.each("listOrganizations", {})) ids.push(id);
  if (ids.length === 1) return ids[0]!;
  if (ids.length === 0) throw wrongUse("You are in no organization: make one with octavo org create.");
  throw wrongUse(`You are in ${ids.length} organizations: name one with --org, and see octavo org list.`);
}

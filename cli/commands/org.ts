// `octavo org …`: creates organizations, and lists their spaces and members.

import { connectionOptions, runWithConnection } from "../connection/connect";
import { type Command, formatColumns, jsonOption, printResult } from "../framework/command";
import { replaceControlCharacters } from "../framework/terminal";

const organizationArgument = { name: "org", summary: "The organization's id. See octavo org list." };
const ROLES = ["read", "comment", "edit", "review", "create", "admin"] as const;

const create: Command = {
  name: "org create",
  summary: "Create an organization with you as its admin.",
  args: [{ name: "title", summary: "The title." }],
  options: [...connectionOptions, jsonOption],
  async run(input, context) {
    return runWithConnection(input, context, async ({ ask }) => {
      const organization = await ask("createOrganization", { body: { title: input.args[0]! } });
      printResult(input, context.terminal, organization, [`Organization ID: ${organization.id}`]);
      return undefined;
    });
  },
};

const list: Command = {
  name: "org list",
  summary: "List your organizations.",
  options: [...connectionOptions, jsonOption],
  async run(input, context) {
    return runWithConnection(input, context, async ({ each }) => {
      const organizations = [];
      for await (const organization of each("listOrganizations", {})) organizations.push(organization);
      const rows = organizations.map(({ id, title }) => [id, title]);
      printResult(input, context.terminal, organizations, formatColumns(rows));
      return undefined;
    });
  },
};

const show: Command = {
  name: "org show",
  summary: "Show an organization and its spaces.",
  args: [organizationArgument],
  options: [...connectionOptions, jsonOption],
  async run(input, context) {
    const params = { organizationId: input.args[0]! };
    return runWithConnection(input, context, async ({ ask, each }) => {
      const organization = await ask("getOrganization", { params });
      const spaces = [];
      for await (const { id, title } of each("listSpaces", { params })) spaces.push({ id, title });
      printResult(input, context.terminal, { ...organization, spaces }, [
        ...formatColumns([
          ["id", organization.id],
          ["title", organization.title],
          ["founded", organization.createdAt],
        ]),
        ...formatColumns(spaces.map(({ id, title }) => ["space", id, title])),
      ]);
      return undefined;
    });
  },
};

const members: Command = {
  name: "org members",
  summary: "List the members of an organization and their roles.",
  args: [organizationArgument],
  options: [...connectionOptions, jsonOption],
  async run(input, context) {
    const params = { organizationId: input.args[0]! };
    return runWithConnection(input, context, async ({ each }) => {
      const found = [];
      for await (const member of each("listMembers", { params })) found.push(member);
      const rows = found.map(({ user, role }) => [user.id, role ?? "guest", user.email, user.displayName]);
      printResult(input, context.terminal, found, formatColumns(rows));
      return undefined;
    });
  },
};

const invite: Command = {
  name: "org invite",
  summary: "Invite people to an organization by email address.",
  notes: "Prints the id and the link of each invite. A server that sends email also emails the links.",
  args: [organizationArgument, { name: "email", summary: "The email addresses.", isMany: true }],
  options: [
    { name: "role", value: "role", choices: ROLES, fallback: "guest", summary: "Their role." },
    ...connectionOptions,
    jsonOption,
  ],
  async run(input, context) {
    const [organizationId, ...emails] = input.args;
    const role = (input.text("role") as (typeof ROLES)[number] | undefined) ?? null;
    return runWithConnection(input, context, async ({ ask }) => {
      const result = await ask("inviteByEmail", {
        params: { organizationId: organizationId! },
        body: { emails, role },
      });
      printResult(input, context.terminal, result, [
        ...formatColumns(result.invites.map(({ id, email, urls }) => [email ?? "", id, urls.app])),
        ...result.members.map((id) => `${replaceControlCharacters(id)} is already a member`),
      ]);
      if (result.invites.some(({ mailed }) => !mailed))
        context.terminal.tell("No email was sent. Send each person their link.");
      return undefined;
    });
  },
};

export const orgCommands: readonly Command[] = [create, list, show, members, invite];

// `octavo org …`: organizations and who is in them.

import { connected, connectionOptions } from "../../connection/connect";
import type { Command } from "../../framework/command";
import { columns, jsonOption, printResult } from "../../framework/output";
import { plain } from "../../framework/plain";

const theOrganization = { name: "org", summary: "The id of the organization, as octavo org list shows it." };
const roles = ["read", "comment", "edit", "review", "create", "admin"] as const;

const create: Command = {
  name: "org create",
  summary: "Found an organization. You become its admin.",
  args: [{ name: "title", summary: "Its title." }],
  options: [...connectionOptions, jsonOption],
  async run(given, surroundings) {
    return connected(given, surroundings, async ({ ask }) => {
      const organization = await ask("createOrganization", { body: { title: given.args[0]! } });
      printResult(given, surroundings.terminal, organization, [`The organization's id: ${organization.id}`]);
      return undefined;
    });
  },
};

const list: Command = {
  name: "org list",
  summary: "List the organizations that you are in.",
  options: [...connectionOptions, jsonOption],
  async run(given, surroundings) {
    return connected(given, surroundings, async ({ each }) => {
      const organizations = [];
      for await (const organization of each("listOrganizations", {})) organizations.push(organization);
      const rows = organizations.map(({ id, title }) => [id, title]);
      printResult(given, surroundings.terminal, organizations, columns(rows));
      return undefined;
    });
  },
};

const show: Command = {
  name: "org show",
  summary: "Show an organization and its spaces.",
  args: [theOrganization],
  options: [...connectionOptions, jsonOption],
  async run(given, surroundings) {
    const params = { organizationId: given.args[0]! };
    return connected(given, surroundings, async ({ ask, each }) => {
      const organization = await ask("getOrganization", { params });
      const spaces = [];
      for await (const { id, title } of each("listSpaces", { params })) spaces.push({ id, title });
      printResult(given, surroundings.terminal, { ...organization, spaces }, [
        ...columns([
          ["id", organization.id],
          ["title", organization.title],
          ["founded", organization.createdAt],
        ]),
        ...columns(spaces.map(({ id, title }) => ["space", id, title])),
      ]);
      return undefined;
    });
  },
};

const members: Command = {
  name: "org members",
  summary: "List the members of an organization with their roles.",
  args: [theOrganization],
  options: [...connectionOptions, jsonOption],
  async run(given, surroundings) {
    const params = { organizationId: given.args[0]! };
    return connected(given, surroundings, async ({ each }) => {
      const found = [];
      for await (const member of each("listMembers", { params })) found.push(member);
      const rows = found.map(({ user, role }) => [user.id, role ?? "guest", user.email, user.displayName]);
      printResult(given, surroundings.terminal, found, columns(rows));
      return undefined;
    });
  },
};

const invite: Command = {
  name: "org invite",
  summary: "Invite people into an organization by their e-mail addresses.",
  notes: "Octavo sends no mail. Each line has the id of an invite, with which that person accepts it.",
  args: [theOrganization, { name: "email", summary: "Their e-mail addresses.", isMany: true }],
  options: [
    { name: "role", value: "role", choices: roles, fallback: "guest", summary: "The role that they get." },
    ...connectionOptions,
    jsonOption,
  ],
  async run(given, surroundings) {
    const [organizationId, ...emails] = given.args;
    const role = (given.text("role") as (typeof roles)[number] | undefined) ?? null;
    return connected(given, surroundings, async ({ ask }) => {
      const answer = await ask("inviteByEmail", {
        params: { organizationId: organizationId! },
        body: { emails, role },
      });
      printResult(given, surroundings.terminal, answer, [
        ...columns(answer.invites.map(({ id, email, urls }) => [email ?? "", id, urls.app])),
        ...answer.members.map((id) => `${plain(id)} is a member already`),
      ]);
      return undefined;
    });
  },
};

export const orgCommands: readonly Command[] = [create, list, show, members, invite];

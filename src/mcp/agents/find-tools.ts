// The tools with which a model finds its way: spaces, search, URLs, and people.

import * as v from "valibot";
import type { FoundPage } from "../../generated/resources";
import { omitUndefined } from "../../utils/objects";
import { defineAgentTool, READ_ONLY } from "./agent-tool";
import { ignoreForbidden } from "./call-api";
import { integerInput, SpaceId, textInput } from "./input-schemas";
import { createExcerpt, formatCount } from "./text";

/** The number of organizations that a tool looks into if the model names none. */
const MAX_ORGANIZATIONS = 10;

export const listSpacesTool = defineAgentTool("list_spaces", {
  title: "List spaces",
  description: [
    "Shows the spaces that you may see, with their ids, by organization.",
    "A space holds the pages of one subject or product.",
    "Use it first, when you do not know where something is written.",
    "`canEdit` says whether you may open change requests there.",
    "With `organization` it shows one organization; `page` takes `next` of the answer before.",
  ].join(" "),
  input: v.strictObject({
    organization: v.optional(textInput("The id of an organization, such as `org_…`. Default: all of yours.")),
    page: v.optional(textInput("`next` of an earlier answer for the same organization.", 2000)),
  }),
  annotations: READ_ONLY,
  async call({ organization, page }, callApi) {
    const chosen: readonly { readonly id: string; readonly title?: string }[] =
      organization === undefined
        ? (await callApi("listOrganizations", { query: { limit: MAX_ORGANIZATIONS } })).value.items
        : [{ id: organization }];
    const organizations = [];
    for (const { id, title: knownTitle } of chosen) {
      const query = { limit: 100, ...omitUndefined({ page: organization === undefined ? undefined : page }) };
      const call = callApi("listSpaces", { params: { organizationId: id }, query });
      const response = await (organization === undefined ? ignoreForbidden(call) : call);
      const spaces = (response?.value.items ?? []).map(({ id, title, permissions, changeRequestsOpen }) => ({
        id,
        title,
        canEdit: permissions.edit,
        openChangeRequests: changeRequestsOpen,
      }));
      // A token that may list spaces need not be one that may read organizations.
      const title =
        knownTitle ??
        (await ignoreForbidden(callApi("getOrganization", { params: { organizationId: id } })))?.value.title;
      organizations.push({ organization: id, title, spaces, next: response?.value.next?.page });
    }

    const sections = organizations.map(({ organization, title, spaces, next }) => {
      const lines = [["Organization", title, `\`${organization}\``].filter(Boolean).join(" ")];
      for (const { id, title, canEdit, openChangeRequests: open } of spaces)
        lines.push(
          `- ${title} — \`${id}\`${canEdit ? "" : " (read only)"}${open > 0 ? `, ${formatCount(open, "open change request")}` : ""}`,
        );
      if (spaces.length === 0) lines.push("- no spaces that you may see");
      if (next) lines.push(`- more: ask again with \`organization\` and \`page: ${next}\``);
      return lines.join("\n");
    });
    return { text: sections.join("\n\n") || "You are in no organization.", structured: { organizations } };
  },
});

export const searchTool = defineAgentTool("search", {
  title: "Search",
  description: [
    "Finds pages by words, the best first, with the sections that match.",
    "Use it to find where something is explained before you read or change it.",
    "Searches one space with `space`, one organization with `organization`, else everything that you may see.",
    "Use a few words that would stand on the page. Gives ids and paths for `read_page`.",
    "If nothing is found, try fewer or other words.",
  ].join(" "),
  input: v.strictObject({
    query: textInput("What to look for: a few words.", 500),
    space: v.optional(SpaceId),
    organization: v.optional(textInput("The id of an organization, such as `org_…`.")),
    limit: v.optional(integerInput("How many pages at most. Default: 8.", 1, 30), 8),
  }),
  annotations: READ_ONLY,
  async call({ query, space, organization, limit }, callApi) {
    const hits: { space: string; page: FoundPage }[] = [];
    if (space !== undefined) {
      const { value } = await callApi("searchSpace", { params: { spaceId: space }, query: { query, limit } });
      hits.push(...value.items.map((page) => ({ space, page })));
    } else {
      const organizationIds =
        organization === undefined
          ? (await callApi("listOrganizations", { query: { limit: MAX_ORGANIZATIONS } })).value.items.map(
              ({ id }) => id,
            )
          : [organization];
      for (const organizationId of organizationIds) {
        const call = callApi("searchOrganization", { params: { organizationId }, query: { query, limit } });
        const response = await (organization === undefined ? ignoreForbidden(call) : call);
        for (const { id, pages } of response?.value.items ?? [])
          hits.push(...pages.map((page) => ({ space: id, page })));
      }
    }

    const pages = hits.slice(0, limit).map(({ space, page: { id, title, path, sections } }) => ({
      space,
      page: id,
      title,
      path,
      sections: sections.slice(0, 3).map(({ title, body }) => ({ title, excerpt: createExcerpt(body) })),
    }));
    const lines = pages.flatMap(({ space, page, title, path, sections }) => [
      `- **${title}** — page \`${page}\` at \`${path}\` in space \`${space}\``,
      ...sections.map(({ title, excerpt }) => `  - ${title}${title && excerpt ? ": " : ""}${excerpt}`),
    ]);
    return {
      text: lines.join("\n") || "Nothing was found. Try fewer or other words, or `list_pages`.",
      structured: { pages },
    };
  },
});

export const findByUrlTool = defineAgentTool("find_by_url", {
  title: "Find by address",
  description: [
    "Says which space, page or change request an address of this server leads to.",
    "Use it when somebody gives you a URL of the documentation instead of ids.",
    "Then use the ids with `read_page` or `read_change_request`.",
  ].join(" "),
  input: v.strictObject({ url: textInput("The whole address, beginning with `http`.", 2000) }),
  annotations: READ_ONLY,
  async call({ url }, callApi) {
    const { object: _, urls: __, ...ids } = (await callApi("getContentByUrl", { query: { url } })).value;
    const lines = Object.entries(ids).map(([name, value]) => `- ${name}: \`${value}\``);
    return { text: lines.join("\n"), structured: ids };
  },
});

export const findPeopleTool = defineAgentTool("find_people", {
  title: "Find people",
  description: [
    "Finds members of the organization that a space belongs to, by a part of their name or e-mail address.",
    "Use it to get the ids that `request_review` takes.",
    "Those with the role `review`, `create` or `admin` can usually review.",
  ].join(" "),
  input: v.strictObject({
    space: SpaceId,
    search: v.optional(textInput("A part of a name or of an e-mail address. Default: everybody.")),
  }),
  annotations: READ_ONLY,
  async call({ space, search }, callApi) {
    const { organization } = (await callApi("getSpace", { params: { spaceId: space } })).value;
    const query = { limit: 30, ...omitUndefined({ search }) };
    const { value } = await callApi("listMembers", { params: { organizationId: organization }, query });
    const people = value.items
      .filter(({ disabled }) => !disabled)
      .map(({ user, role }) => ({ id: user.id, name: user.displayName, email: user.email, role }));
    const lines = people.map(({ id, name, email, role }) => `- ${name} (${email}), ${role ?? "guest"} — \`${id}\``);
    const more = value.next ? "\n\nThere are more: pass `search` to find somebody." : "";
    return { text: `${lines.join("\n") || "Nobody was found."}${more}`, structured: { people } };
  },
});

// How a model finds its way: spaces, search, addresses, and people.

import * as v from "valibot";
import type { FoundPage } from "../../generated/resources";
import { omitUndefined } from "../../utils/objects";
import { excerpt } from "../parts";
import * as take from "./shapes";
import { agentTool, READS } from "./tool";
import { unlessRefused } from "./unless-refused";

/** How many organizations a tool looks into, where none is named. */
const MOST_ORGANIZATIONS = 10;

export const listSpaces = agentTool("list_spaces", {
  title: "List spaces",
  description:
    "Shows the spaces that you may see, with their ids, by organization. A space holds the pages of one subject or product. Use it first, when you do not know where something is written. `canEdit` says whether you may open change requests there. With `organization` it shows one organization; `page` takes `next` of the answer before.",
  input: v.strictObject({
    organization: v.optional(take.words("The id of an organization, such as `org_…`. Default: all of yours.")),
    page: v.optional(take.words("`next` of an earlier answer for the same organization.", 2000)),
  }),
  annotations: READS,
  async call({ organization, page }, ask) {
    const chosen =
      organization === undefined
        ? (await ask("listOrganizations", { query: { limit: MOST_ORGANIZATIONS } })).value.items
        : [{ id: organization, title: "" }];
    const found = [];
    for (const { id, title } of chosen) {
      const query = {
        limit: 100,
        ...omitUndefined({ page: organization === undefined || page === undefined ? undefined : page }),
      };
      const asked = ask("listSpaces", { params: { organizationId: id }, query });
      const answer = await (organization === undefined ? unlessRefused(asked) : asked);
      const spaces = (answer?.value.items ?? []).map(({ id, title, permissions, changeRequestsOpen }) => ({
        ...{ id, title, canEdit: permissions.edit, openChangeRequests: changeRequestsOpen },
      }));
      found.push({ organization: id, title, spaces, next: answer?.value.next?.page });
    }
    const text = found.map(({ organization, title, spaces, next }) =>
      [
        `Organization ${title} \`${organization}\``,
        ...spaces.map(
          ({ id, title, canEdit, openChangeRequests: open }) =>
            `- ${title} — \`${id}\`${canEdit ? "" : " (read only)"}${open > 0 ? `, ${open} open change requests` : ""}`,
        ),
        ...(spaces.length === 0 ? ["- no spaces that you may see"] : []),
        ...(next ? [`- more: ask again with \`organization\` and \`page: ${next}\``] : []),
      ].join("\n"),
    );
    return { text: text.join("\n\n") || "You are in no organization.", structured: { organizations: found } };
  },
});

export const search = agentTool("search", {
  title: "Search",
  description:
    "Finds pages by words, the best first, with the sections that match. Use it to find where something is explained before you read or change it. Searches one space with `space`, one organization with `organization`, else everything that you may see. Use a few words that would stand on the page. Gives ids and paths for `read_page`. If nothing is found, try fewer or other words.",
  input: v.strictObject({
    query: take.words("What to look for: a few words.", 500),
    space: v.optional(take.Space),
    organization: v.optional(take.words("The id of an organization, such as `org_…`.")),
    limit: v.optional(take.whole("How many pages at most. Default: 8.", 1, 30), 8),
  }),
  annotations: READS,
  async call({ query, space, organization, limit }, ask) {
    const found: { space: string; page: FoundPage }[] = [];
    if (space !== undefined) {
      const { value } = await ask("searchSpace", { params: { spaceId: space }, query: { query, limit } });
      found.push(...value.items.map((page) => ({ space, page })));
    } else {
      const ids =
        organization === undefined
          ? (await ask("listOrganizations", { query: { limit: MOST_ORGANIZATIONS } })).value.items.map(({ id }) => id)
          : [organization];
      for (const organizationId of ids) {
        const asked = ask("searchOrganization", { params: { organizationId }, query: { query, limit } });
        const answer = await (organization === undefined ? unlessRefused(asked) : asked);
        found.push(
          ...(answer?.value.items ?? []).flatMap(({ id, pages }) => pages.map((page) => ({ space: id, page }))),
        );
      }
    }
    const pages = found.slice(0, limit).map(({ space, page: { id, title, path, sections } }) => ({
      ...{ space, page: id, title, path },
      sections: sections.slice(0, 3).map(({ title, body }) => ({ title, excerpt: excerpt(body) })),
    }));
    const text = pages.map(({ space, page, title, path, sections }) =>
      [
        `- **${title}** — page \`${page}\` at \`${path}\` in space \`${space}\``,
        ...sections.map(({ title, excerpt }) => `  - ${title}${title && excerpt ? ": " : ""}${excerpt}`),
      ].join("\n"),
    );
    return {
      text: text.join("\n") || "Nothing was found. Try fewer or other words, or `list_pages`.",
      structured: { pages },
    };
  },
});

export const findByUrl = agentTool("find_by_url", {
  title: "Find by address",
  description:
    "Says which space, page or change request an address of this server leads to. Use it when somebody gives you a URL of the documentation instead of ids. Then use the ids with `read_page` or `read_change_request`.",
  input: v.strictObject({ url: take.words("The whole address, beginning with `http`.", 2000) }),
  annotations: READS,
  async call({ url }, ask) {
    const { object: _, urls: __, ...found } = (await ask("getContentByUrl", { query: { url } })).value;
    const lines = Object.entries(found).map(([name, value]) => `- ${name}: \`${value}\``);
    return { text: lines.join("\n"), structured: found };
  },
});

export const findPeople = agentTool("find_people", {
  title: "Find people",
  description:
    "Finds members of the organization that a space belongs to, by a part of their name or e-mail address. Use it to get the ids that `request_review` takes. Those with the role `review`, `create` or `admin` can usually review.",
  input: v.strictObject({
    space: take.Space,
    search: v.optional(take.words("A part of a name or of an e-mail address. Default: everybody.")),
  }),
  annotations: READS,
  async call({ space, search }, ask) {
    const { organization } = (await ask("getSpace", { params: { spaceId: space } })).value;
    const query = { limit: 30, ...omitUndefined({ search }) };
    const { value } = await ask("listMembers", { params: { organizationId: organization }, query });
    const people = value.items
      .filter(({ disabled }) => !disabled)
      .map(({ user, role }) => ({ id: user.id, name: user.displayName, email: user.email, role }));
    const lines = people.map(({ id, name, email, role }) => `- ${name} (${email}), ${role ?? "guest"} — \`${id}\``);
    const more = value.next ? "\n\nThere are more: pass `search` to find somebody." : "";
    return { text: `${lines.join("\n")}${more}` || "Nobody was found.", structured: { people } };
  },
});

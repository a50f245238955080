// Describes how an address in a page is shown: by a block of an integration on the space, or as its host describes it.

import { defineOperation } from "../../../operation/operation";
import type { DescribeEmbed } from "../../../ports/embed-describer";
import { loadLazily } from "../../../utils/lazy";
import { omitUndefined } from "../../../utils/objects";
import { parseUrl } from "../../../utils/url";
import { space } from "../../library/spaces/rules";
import { self } from "../../people/users/rules";
import { createAssetUrl } from "../definitions/views";
import type { IntegrationRecord } from "../records";
import { Embed, EmbedQuery } from "./schema";
import { matchesUnfurlPattern } from "./unfurl";

const loadActiveIntegrations = loadLazily(() => import("../installations/active-integrations"));

export const getEmbed = defineOperation("GET /spaces/:spaceId/embed", {
  summary: "Get an embed",
  target: space,
  right: "view",
  allowsVisitors: true,
  query: EmbedQuery,
  returns: Embed,
  cache: false,
  async handle(context) {
    const url = parseUrl(context.query.url);
    const { listActiveIntegrations, reloadActiveIntegrations } = await loadActiveIntegrations();
    const findBlock = ({ blocks }: IntegrationRecord) =>
      blocks.find(({ urlUnfurl = [] }) => matchesUnfurlPattern(urlUnfurl, url));
    for (const cached of await listActiveIntegrations(context, "space", context.space.id)) {
      if (!findBlock(cached.integration)) continue;
      const [active] = await reloadActiveIntegrations(context, "space", context.space.id, [cached]);
      const block = active && findBlock(active.integration);
      if (!block) continue;
      // The host is not asked: the integration knows more about the address, and may be the only one that has access.
      const { integration } = active;
      return {
        type: "integration" as const,
        title: block.title,
        site: integration.title,
        integration: integration.name,
        block: block.id,
        ...omitUndefined({
          icon: integration.icon ? createAssetUrl(integration, integration.icon, context) : undefined,
        }),
      };
    }
    return describeByHost(context.ports, url);
  },
});

export const getUrlEmbed = defineOperation("GET /urls/embed", {
  summary: "Get an embed without a space",
  target: self,
  right: "view",
  query: EmbedQuery,
  returns: Embed,
  cache: false,
  handle: ({ ports, query }) => describeByHost(ports, parseUrl(query.url)),
});

async function describeByHost(ports: { readonly describeEmbed: DescribeEmbed }, url: URL) {
  const { html, ...described } = await ports.describeEmbed(url.href);
  return html === undefined ? { type: "link" as const, ...described } : { type: "rich" as const, ...described, html };
}

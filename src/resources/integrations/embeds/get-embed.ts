// How an address in a page is shown: by a block of an integration on the space, else as its host describes it.

import { defineOperation } from "../../../operation/operation";
import { loadLazily } from "../../../utils/lazy";
import { parseUrl } from "../../../utils/url";
import { space } from "../../library/spaces/rules";
import { presentIconUrl } from "../definitions/views";
import type { IntegrationRecord } from "../records";
import { Embed, EmbedQuery } from "./schema";
import { matchesUnfurlPattern } from "./unfurl";

const loadAtWork = loadLazily(() => import("../installations/active-integrations"));

export const getEmbed = defineOperation("GET /spaces/:spaceId/embed", {
  summary: "Get how an address is shown in pages of a space",
  description:
    "An integration that works on the space and has a block for the address comes first. Otherwise the host is asked, by oEmbed or for the head of its page. What it says is kept for a day. A host that does not answer is a `link` with the name of the host.",
  target: space,
  right: "view",
  allowsVisitors: true,
  query: EmbedQuery,
  returns: Embed,
  cache: false,
  async handle(context) {
    const url = parseUrl(context.query.url);
    const { listActiveIntegrations: atWorkOn, reloadActiveIntegrations: readAgain } = await loadAtWork();
    const blockOf = ({ blocks }: IntegrationRecord) =>
      blocks.find(({ urlUnfurl = [] }) => matchesUnfurlPattern(urlUnfurl, url));
    for (const it of await atWorkOn(context, "space", context.space.id)) {
      if (!blockOf(it.integration)) continue;
      const [now] = await readAgain(context, "space", context.space.id, [it]);
      const block = now && blockOf(now.integration);
      if (block) return { ...asBlock(now.integration, block), ...presentIconUrl(now.integration, context) };
    }
    const { html, ...described } = await context.ports.describeEmbed(url.href);
    return html === undefined ? { type: "link" as const, ...described } : { type: "rich" as const, ...described, html };
  },
});

/** The host is not asked: the integration knows more of the address, and may be the only one that is let in. */
function asBlock({ name, title: site }: IntegrationRecord, { id, title }: IntegrationRecord["blocks"][number]) {
  return { type: "integration" as const, title, site, integration: name, block: id };
}

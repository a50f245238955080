// Embeds on the wire.

import * as v from "valibot";
import { UrlString, WebUrl } from "../../../operation/common-schemas";

const described = {
  title: v.string(),
  site: v.pipe(v.string(), v.description("The name of the site, or its host.")),
  icon: v.optional(UrlString),
};

export const Embed = v.pipe(
  v.variant("type", [
    v.object({ type: v.literal("link"), ...described }),
    v.object({
      type: v.literal("rich"),
      ...described,
      html: v.pipe(
        v.string(),
        v.description(
          "One `<iframe>` with a sandbox, at a public https address. The API writes it; nothing of the host's markup is in it.",
        ),
      ),
    }),
    v.object({
      type: v.literal("integration"),
      ...described,
      integration: v.pipe(v.string(), v.description("The name of the integration that shows the address.")),
      block: v.pipe(v.string(), v.description("The id of its block.")),
    }),
  ]),
  v.title("Embed"),
);

export const EmbedQuery = { url: WebUrl };

// Search results on the wire.

import * as v from "valibot";
import { Id, textSchema, UrlString } from "../../../operation/common-schemas";

export const query = { query: v.pipe(textSchema(1, 512), v.description("The search text.")) };

const FoundSection = v.object({
  id: v.string(),
  title: v.string(),
  path: v.string(),
  body: v.string(),
  urls: v.object({ app: UrlString }),
});

/** A matching page, with its matching sections. */
export const FoundPage = v.pipe(
  v.object({
    id: Id,
    title: v.string(),
    path: v.string(),
    sections: v.array(FoundSection),
    urls: v.object({ app: UrlString }),
  }),
  v.title("FoundPage"),
);

export const FoundSpace = v.pipe(
  v.object({ id: Id, title: v.string(), pages: v.array(FoundPage) }),
  v.title("FoundSpace"),
);

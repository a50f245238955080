// Search results on the wire.

import * as v from "valibot";
import { Id, Link, textSchema } from "../../../operation/schema-types";

export const query = { query: v.pipe(textSchema(1, 512), v.description("What to look for.")) };

const FoundSection = v.object({
  id: v.string(),
  title: v.string(),
  path: v.string(),
  body: v.string(),
  urls: v.object({ app: Link }),
});

/** A matching page, with its matching sections. */
export const FoundPage = v.pipe(
  v.object({
    id: Id,
    title: v.string(),
    path: v.string(),
    sections: v.array(FoundSection),
    urls: v.object({ app: Link }),
  }),
  v.title("FoundPage"),
);

/** A space with matching pages. */
export const FoundSpace = v.pipe(
  v.object({ id: Id, title: v.string(), pages: v.array(FoundPage) }),
  v.title("FoundSpace"),
);

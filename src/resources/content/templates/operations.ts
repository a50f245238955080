// Templates for new spaces.

import * as v from "valibot";
import type { TemplatePage } from "../../../content/templates";
import { Id, namedObject } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { self } from "../../people/users/rules";

const Template = namedObject("Template", {
  object: v.literal("template"),
  id: Id,
  title: v.string(),
  description: v.string(),
  pages: v.number(),
});

export const listTemplates = defineOperation("GET /templates", {
  summary: "List templates",
  target: self,
  right: "view",
  list: Template,
  async handle({ ports, pageRequest }) {
    const all = [...(await ports.templates()).values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const rest = all.filter(({ id }) => pageRequest.after === undefined || id > pageRequest.after);
    const shown = rest.slice(0, pageRequest.limit);
    return {
      items: shown.map(({ id, title, description, pages }) => ({
        object: "template" as const,
        id,
        title,
        description,
        pages: countPages(pages),
      })),
      lastPosition: rest.length > shown.length ? shown.at(-1)!.id : undefined,
      count: all.length,
    };
  },
});

/** Counts pages with a text. Groups have none. */
function countPages(pages: readonly TemplatePage[]): number {
  return pages.reduce(
    (sum, { markdown, pages }) => sum + (markdown === undefined ? 0 : 1) + countPages(pages ?? []),
    0,
  );
}

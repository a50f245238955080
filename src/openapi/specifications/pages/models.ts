// Lists the schemas of a specification that have their own pages, and creates links to those pages.

import { takeFreeSlug } from "../../../content/revision/computed";
import { createSlug } from "../../../content/slugs";
import { truncateWords } from "./format-markdown";
import { getMemberEntries, getOwnMember } from "./resolve-references";

/** A schema with a page. */
export interface Model {
  readonly name: string;
  readonly schema: unknown;
  readonly title: string;
  readonly slug: string;
}

/** Lists the schemas of a specification, at most `room` of them. */
export function listModels(root: unknown, room: number): Model[] {
  const schemas = [
    ...getMemberEntries(getOwnMember(root, "components"), "schemas"),
    ...getMemberEntries(root, "definitions"),
  ];
  const taken = new Map<string, number>();
  return schemas.slice(0, Math.max(0, room)).map(([name, schema]) => {
    const title = truncateWords(name, 200) ?? "Model";
    return { name, schema, title, slug: takeFreeSlug(createSlug(title), taken) };
  });
}

/** Returns the link to the page of a schema, by the name of the schema. */
export type ModelLinks = (name: string) => string | undefined;

/** Creates the links to models from a page. `folder` leads from the folder of the page to that of the models. */
export function createModelLinks(models: readonly Model[], folder: string): ModelLinks {
  const slugs = new Map(models.map(({ name, slug }) => [name, slug]));
  return (name) => {
    const slug = TYPE_WORDS.has(name) ? undefined : slugs.get(name);
    return slug === undefined ? undefined : `${folder}${encodeURI(slug)}.md`;
  };
}

/** The words of type descriptions that are not names of schemas. */
const TYPE_WORDS = new Set("string number integer boolean array object null any file map of or and list".split(" "));

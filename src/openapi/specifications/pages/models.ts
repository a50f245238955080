// The schemas of a specification that have pages of their own, and links to those pages.

import { takeFreeSlug } from "../../../content/revision/computed";
import { createSlug } from "../../../content/slugs";
import { member, membersIn } from "./pointers";
import { firstWords, inLine } from "./words";

/** A schema with a page. */
export interface Model {
  readonly name: string;
  readonly schema: unknown;
  readonly title: string;
  readonly slug: string;
}

/** The schemas of a specification, at most as many as there is room for. */
export function modelsIn(root: unknown, room: number): Model[] {
  const schemas = [...membersIn(member(root, "components"), "schemas"), ...membersIn(root, "definitions")];
  const taken = new Map<string, number>();
  return schemas.slice(0, Math.max(0, room)).map(([name, schema]) => {
    const title = firstWords(name, 200) ?? "Model";
    return { name, schema, title, slug: takeFreeSlug(createSlug(title), taken) };
  });
}

/** Where a page is linked to, by the name of its schema. */
export type ModelLinks = (name: string) => string | undefined;

/** Links to models from a page; `folder` leads from the folder of the page to that of the models. */
export function linksTo(models: readonly Model[], folder: string): ModelLinks {
  const slugs = new Map(models.map(({ name, slug }) => [name, slug]));
  return (name) => {
    const slug = BASIC.has(name) ? undefined : slugs.get(name);
    return slug === undefined ? undefined : `${folder}${encodeURI(slug)}.md`;
  };
}

/** Words that are types by themselves. */
const BASIC = new Set("string number integer boolean array object null any file map of or and list".split(" "));
const NAME = /[\p{L}\p{N}_.-]+/gu;
/** What stands behind these is a format, not a name. */
const FORMATTED = /(?:string|number|integer) $/;

/** What a value is, in a line, with links to the models that it names. */
export function kindInLine(kind: string, linkFor: ModelLinks): string {
  let [text, done] = ["", 0];
  for (const { 0: name, index } of kind.matchAll(NAME)) {
    const href = FORMATTED.test(kind.slice(0, index)) ? undefined : linkFor(name);
    if (href === undefined) continue;
    text += `${between(kind.slice(done, index))}[${inLine(name)}](${href})`;
    done = index + name.length;
  }
  return text + between(kind.slice(done));
}

/** A part of a line, with the spaces around it. */
function between(part: string): string {
  const said = part.trim();
  return said === "" ? part : part.replace(said, () => inLine(said));
}

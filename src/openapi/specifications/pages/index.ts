// A specification as pages: one for each tag, and below it one for each operation. What has no tag stands beside the tags.

import { takeFreeSlug } from "../../../content/revision/computed";
import { createSlug } from "../../../content/slugs";
import type { FilesystemEntry } from "../read";
import type { Root } from "./authorization";
import { modelMarkdown } from "./model";
import { linksTo, type Model, type ModelLinks, modelsIn } from "./models";
import { moreAt, type Operation, operationMarkdown } from "./operation";
import { operationsIn } from "./operations";
import { listIn, resolverOf, textIn } from "./pointers";
import { blocks, code, firstWords, inLine } from "./words";
import { type Source, sourceOf, Writing } from "./writing";

/** A page that comes of a specification. */
export interface SpecificationPage {
  /** A lasting key, which does not depend on its words. */
  readonly key: string;
  readonly title: string;
  readonly slug: string;
  readonly markdown: () => string;
  readonly pages: readonly SpecificationPage[];
}

/** The most pages of a specification. */
const MAX_PAGES = 10_000;

/** The pages of a specification; with `models` one for each of its schemas as well. */
export function pagesOf(filesystem: readonly FilesystemEntry[], options: { readonly models: boolean }) {
  const entry = filesystem.find(({ isEntrypoint }) => isEntrypoint);
  const root: Root = { value: entry?.specification, document: entry?.filename ?? null };
  const source = sourceOf(resolverOf(filesystem));
  const tags = new Map<string, Tag>();
  const untagged: Operation[] = [];
  for (const tag of listIn(root.value, "tags")) {
    const name = textIn(tag, "name");
    if (name !== undefined && !tags.has(name)) tags.set(name, { about: tag, operations: [] });
  }
  let room = MAX_PAGES;
  for (const operation of operationsIn(root, source.resolve)) {
    if (room-- <= 0) break;
    const tag = listIn(operation.value, "tags").find((it) => typeof it === "string") as string | undefined;
    const name = operation.isWebhook ? "Webhooks" : tag;
    if (name === undefined) untagged.push(operation);
    else {
      const known = tags.get(name) ?? { about: undefined, operations: [] };
      known.operations.push(operation);
      tags.set(name, known);
    }
  }
  const models = options.models ? modelsIn(root.value, room) : [];
  const used = [...tags].filter(([, { operations }]) => operations.length > 0);
  const folder = folderOfModels([...used.map(([name, { about }]) => slugOfTag(name, about)), ...untagged.map(slugFor)]);
  const groups = used.map(([name, tag]) => tagPage(source, name, tag, linksTo(models, `../${folder}/`)));
  const others = untagged.map((operation) => pageOf(source, operation, linksTo(models, `${folder}/`)));
  return [...groups, ...others, ...modelPages(source, root, models)];
}

/** The slug that the page of all models gets, behind pages with other ones. */
function folderOfModels(others: readonly string[]): string {
  const taken = new Map<string, number>();
  for (const slug of others) takeFreeSlug(createSlug(slug), taken);
  return takeFreeSlug(MODELS, taken);
}

const MODELS = "models";

/** A tag, and what has it. */
interface Tag {
  readonly about: unknown;
  readonly operations: Operation[];
}

/** Paths come from names, because words change more often, and a path should not. */
function slugFor({ method, path, value }: Operation): string {
  const id = textIn(value, "operationId");
  return id === undefined ? `${method} ${path}` : id.slice(0, 300).replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2");
}

function pageOf(source: Source, operation: Operation, models: ModelLinks): SpecificationPage {
  const { title, method, path, isWebhook } = operation;
  return {
    key: `${isWebhook ? "webhook" : "operation"} ${method} ${path}`,
    title,
    slug: slugFor(operation),
    markdown: () => operationMarkdown(source, operation, models),
    pages: [],
  };
}

function titleOfTag(name: string, about: unknown): string {
  const shown = textIn(about, "x-displayName") ?? textIn(about, "summary");
  return firstWords(shown, 200) ?? firstWords(name, 200) ?? "Operations";
}

function slugOfTag(name: string, about: unknown): string {
  return firstWords(name, 200) ?? titleOfTag(name, about);
}

function tagPage(source: Source, name: string, { about, operations }: Tag, models: ModelLinks): SpecificationPage {
  const title = titleOfTag(name, about);
  return {
    key: `tag ${name}`,
    title,
    slug: slugOfTag(name, about),
    markdown: () => {
      const writing = new Writing(source);
      const described = writing.described(textIn(about, "description"), 1);
      return blocks([
        `# ${inLine(title)}`,
        described,
        moreAt(about),
        "## Operations",
        operations.map(lineOf).join("\n"),
      ]);
    },
    pages: operations.map((operation) => pageOf(source, operation, models)),
  };
}

function lineOf({ title, method, path, isWebhook }: Operation): string {
  const where = code(isWebhook ? path : `${method.toUpperCase()} ${path}`);
  return title === path || where.includes(title) ? `* ${where}` : `* ${where}: ${inLine(title)}`;
}

/** A page for each schema, below one that holds them all. */
function modelPages(source: Source, { document }: Root, models: readonly Model[]): SpecificationPage[] {
  if (models.length === 0) return [];
  const links = linksTo(models, "");
  const linksBut = (own: string) => (name: string) => (name === own ? undefined : links(name));
  const pages = models.map(({ name, schema, title }): SpecificationPage => {
    return {
      key: `model ${name}`,
      title,
      slug: title,
      markdown: () => modelMarkdown(source, { title, schema, document }, linksBut(name)),
      pages: [],
    };
  });
  return [{ key: "models", title: "Models", slug: MODELS, markdown: () => "# Models\n", pages }];
}

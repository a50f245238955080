// Builds the pages of a specification: one for each tag, and below it one for each operation. Operations without a tag stand beside
// the tags. On request, the schemas have pages as well.

import { takeFreeSlug } from "../../content/revision/computed";
import { createSlug } from "../../content/slugs";
import {
  getListMember,
  getMemberEntries,
  getOwnMember,
  getTextMember,
  type Located,
  openSpecification,
} from "../model/document";
import { escapeInlineText, formatCode, joinBlocks, truncateWords } from "../model/format-markdown";
import { iterateOperations, type SpecificationOperation } from "../model/operations";
import type { FilesystemEntry } from "../specifications";
import { writeExternalDocs, writeModel, writeOperation } from "./operation";
import { createDescriptionWriter, type ModelLinks, PageWriter } from "./page-writer";

export interface SpecificationPage {
  /** A lasting key, which does not depend on texts. */
  readonly key: string;
  readonly title: string;
  readonly slug: string;
  readonly markdown: () => string;
  readonly pages: readonly SpecificationPage[];
}

interface Model {
  readonly name: string;
  readonly schema: Located<unknown>;
  readonly title: string;
  readonly slug: string;
}

interface TaggedOperations {
  readonly about: unknown;
  readonly operations: SpecificationOperation[];
}

const MAX_PAGES = 10_000;

const MODELS = "models";

/** The words of type descriptions that are not names of schemas. */
const TYPE_WORDS = new Set("string number integer boolean array object null any file map of or and list".split(" "));

/** Builds the pages of a specification; with `models` one for each of its schemas as well. */
export function buildSpecificationPages(filesystem: readonly FilesystemEntry[], options: { readonly models: boolean }) {
  const root = openSpecification(filesystem);
  const describe = createDescriptionWriter();
  const tags = new Map<string, TaggedOperations>();
  const untagged: SpecificationOperation[] = [];
  for (const tag of getListMember(root.value, "tags")) {
    const name = getTextMember(tag, "name");
    if (name !== undefined && !tags.has(name)) tags.set(name, { about: tag, operations: [] });
  }
  let room = MAX_PAGES;
  for (const operation of iterateOperations(root)) {
    if (room-- <= 0) break;
    const tag = getListMember(operation.value, "tags").find((it) => typeof it === "string");
    const name = operation.isWebhook ? "Webhooks" : tag;
    if (name === undefined) untagged.push(operation);
    else {
      const known = tags.get(name) ?? { about: undefined, operations: [] };
      known.operations.push(operation);
      tags.set(name, known);
    }
  }
  const used = [...tags]
    .filter(([, { operations }]) => operations.length > 0)
    .map(([name, { about, operations }]) => {
      const shown = getTextMember(about, "x-displayName") ?? getTextMember(about, "summary");
      const title = truncateWords(shown, 200) ?? truncateWords(name, 200) ?? "Operations";
      return { name, title, slug: truncateWords(name, 200) ?? title, about, operations };
    });

  // The schemas with pages. The page of all of them comes behind pages that may have the same slug.
  const schemas = [
    ...getMemberEntries(getOwnMember(root.value, "components"), "schemas"),
    ...getMemberEntries(root.value, "definitions"),
  ];
  const takenModelSlugs = new Map<string, number>();
  const models = schemas.slice(0, options.models ? Math.max(0, room) : 0).map(([name, value]): Model => {
    const title = truncateWords(name, 200) ?? "Model";
    const slug = takeFreeSlug(createSlug(title), takenModelSlugs);
    return { name, schema: { value, document: root.document }, title, slug };
  });
  const takenSlugs = new Map<string, number>();
  for (const slug of [...used.map((tag) => tag.slug), ...untagged.map(getOperationSlug)])
    takeFreeSlug(createSlug(slug), takenSlugs);
  const folder = takeFreeSlug(MODELS, takenSlugs);
  const modelSlugs = new Map(models.map(({ name, slug }) => [name, slug]));
  /** Creates the links to models from a page. `path` leads from the folder of the page to that of the models. */
  const createModelLinks =
    (path: string): ModelLinks =>
    (name) => {
      const slug = TYPE_WORDS.has(name) ? undefined : modelSlugs.get(name);
      return slug === undefined ? undefined : `${path}${encodeURI(slug)}.md`;
    };

  const buildOperationPage = (operation: SpecificationOperation, links: ModelLinks): SpecificationPage => ({
    key: `${operation.isWebhook ? "webhook" : "operation"} ${operation.method} ${operation.path}`,
    title: operation.title,
    slug: getOperationSlug(operation),
    markdown: () => writeOperation(new PageWriter(describe, links), operation),
    pages: [],
  });
  const tagLinks = createModelLinks(`../${folder}/`);
  const pages = used.map(({ name, title, slug, about, operations }): SpecificationPage => {
    const markdown = () => {
      const lines = operations.map((operation) => {
        const { method, path, isWebhook } = operation;
        const endpoint = formatCode(isWebhook ? path : `${method.toUpperCase()} ${path}`);
        return operation.title === path || endpoint.includes(operation.title)
          ? `* ${endpoint}`
          : `* ${endpoint}: ${escapeInlineText(operation.title)}`;
      });
      return joinBlocks([
        `# ${escapeInlineText(title)}`,
        new PageWriter(describe).described(getTextMember(about, "description"), 1),
        writeExternalDocs(about),
        "## Operations",
        lines.join("\n"),
      ]);
    };
    const operationPages = operations.map((operation) => buildOperationPage(operation, tagLinks));
    return { key: `tag ${name}`, title, slug, markdown, pages: operationPages };
  });
  const links = createModelLinks(`${folder}/`);
  for (const operation of untagged) pages.push(buildOperationPage(operation, links));

  // A page for each schema, below one for all of them.
  const modelLinks = createModelLinks("");
  const modelPages = models.map(({ name, schema, title }): SpecificationPage => {
    const findLink = (other: string) => (other === name ? undefined : modelLinks(other));
    const markdown = () => writeModel(new PageWriter(describe, findLink), title, schema);
    return { key: `model ${name}`, title, slug: title, markdown, pages: [] };
  });
  if (models.length > 0)
    pages.push({ key: "models", title: "Models", slug: MODELS, markdown: () => "# Models\n", pages: modelPages });
  return pages;
}

/** Returns the slug of an operation. It comes from its id, because titles change more often, and a path should not. */
function getOperationSlug({ method, path, value }: SpecificationOperation): string {
  const id = getTextMember(value, "operationId");
  return id === undefined ? `${method} ${path}` : id.slice(0, 300).replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2");
}

// Builds the pages of a specification: one for each tag, and below it one for each operation. Operations without a tag stand beside
// the tags.

import { takeFreeSlug } from "../../../content/revision/computed";
import { createSlug } from "../../../content/slugs";
import type { FilesystemEntry } from "../read";
import type { SpecificationRoot } from "./authorization";
import { escapeInlineText, formatCode, joinBlocks, truncateWords } from "./format-markdown";
import { writeModel } from "./model";
import { createModelLinks, listModels, type Model, type ModelLinks } from "./models";
import { type SpecificationOperation, writeExternalDocs, writeOperation } from "./operation";
import { iterateOperations } from "./operations";
import { createSpecificationContext, PageWriter, type SpecificationContext } from "./page-writer";
import { createReferenceResolver, getListMember, getTextMember } from "./resolve-references";

/** A page of a specification. */
export interface SpecificationPage {
  /** A lasting key, which does not depend on texts. */
  readonly key: string;
  readonly title: string;
  readonly slug: string;
  readonly markdown: () => string;
  readonly pages: readonly SpecificationPage[];
}

/** The most pages of a specification. */
const MAX_PAGES = 10_000;

/** Builds the pages of a specification; with `models` one for each of its schemas as well. */
export function buildSpecificationPages(filesystem: readonly FilesystemEntry[], options: { readonly models: boolean }) {
  const entry = filesystem.find(({ isEntrypoint }) => isEntrypoint);
  const root: SpecificationRoot = { value: entry?.specification, document: entry?.filename ?? null };
  const source = createSpecificationContext(createReferenceResolver(filesystem));
  const tags = new Map<string, TaggedOperations>();
  const untagged: SpecificationOperation[] = [];
  for (const tag of getListMember(root.value, "tags")) {
    const name = getTextMember(tag, "name");
    if (name !== undefined && !tags.has(name)) tags.set(name, { about: tag, operations: [] });
  }
  let room = MAX_PAGES;
  for (const operation of iterateOperations(root, source.resolve)) {
    if (room-- <= 0) break;
    const tag = getListMember(operation.value, "tags").find((it) => typeof it === "string") as string | undefined;
    const name = operation.isWebhook ? "Webhooks" : tag;
    if (name === undefined) untagged.push(operation);
    else {
      const known = tags.get(name) ?? { about: undefined, operations: [] };
      known.operations.push(operation);
      tags.set(name, known);
    }
  }
  const models = options.models ? listModels(root.value, room) : [];
  const used = [...tags].filter(([, { operations }]) => operations.length > 0);
  // The page of all models comes behind pages that may have the same slug.
  const takenSlugs = new Map<string, number>();
  for (const slug of [...used.map(([name, { about }]) => getTagSlug(name, about)), ...untagged.map(getOperationSlug)])
    takeFreeSlug(createSlug(slug), takenSlugs);
  const folder = takeFreeSlug(MODELS, takenSlugs);
  const groups = used.map(([name, tag]) => buildTagPage(source, name, tag, createModelLinks(models, `../${folder}/`)));
  const others = untagged.map((operation) =>
    buildOperationPage(source, operation, createModelLinks(models, `${folder}/`)),
  );
  return [...groups, ...others, ...buildModelPages(source, root, models)];
}

const MODELS = "models";

/** A tag and its operations. */
interface TaggedOperations {
  readonly about: unknown;
  readonly operations: SpecificationOperation[];
}

/** Returns the slug of an operation. It comes from its id, because titles change more often, and a path should not. */
function getOperationSlug({ method, path, value }: SpecificationOperation): string {
  const id = getTextMember(value, "operationId");
  return id === undefined ? `${method} ${path}` : id.slice(0, 300).replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2");
}

function buildOperationPage(
  source: SpecificationContext,
  operation: SpecificationOperation,
  models: ModelLinks,
): SpecificationPage {
  const { title, method, path, isWebhook } = operation;
  return {
    key: `${isWebhook ? "webhook" : "operation"} ${method} ${path}`,
    title,
    slug: getOperationSlug(operation),
    markdown: () => writeOperation(source, operation, models),
    pages: [],
  };
}

function getTagTitle(name: string, about: unknown): string {
  const shown = getTextMember(about, "x-displayName") ?? getTextMember(about, "summary");
  return truncateWords(shown, 200) ?? truncateWords(name, 200) ?? "Operations";
}

function getTagSlug(name: string, about: unknown): string {
  return truncateWords(name, 200) ?? getTagTitle(name, about);
}

function buildTagPage(
  source: SpecificationContext,
  name: string,
  { about, operations }: TaggedOperations,
  models: ModelLinks,
): SpecificationPage {
  const title = getTagTitle(name, about);
  return {
    key: `tag ${name}`,
    title,
    slug: getTagSlug(name, about),
    markdown: () => {
      const writing = new PageWriter(source);
      const described = writing.described(getTextMember(about, "description"), 1);
      return joinBlocks([
        `# ${escapeInlineText(title)}`,
        described,
        writeExternalDocs(about),
        "## Operations",
        operations
          .map(({ title, method, path, isWebhook }) => {
            const endpoint = formatCode(isWebhook ? path : `${method.toUpperCase()} ${path}`);
            return title === path || endpoint.includes(title)
              ? `* ${endpoint}`
              : `* ${endpoint}: ${escapeInlineText(title)}`;
          })
          .join("\n"),
      ]);
    },
    pages: operations.map((operation) => buildOperationPage(source, operation, models)),
  };
}

/** Builds a page for each schema, below one for all of them. */
function buildModelPages(
  source: SpecificationContext,
  { document }: SpecificationRoot,
  models: readonly Model[],
): SpecificationPage[] {
  if (models.length === 0) return [];
  const links = createModelLinks(models, "");
  const linksBut = (own: string) => (name: string) => (name === own ? undefined : links(name));
  const pages = models.map(({ name, schema, title }): SpecificationPage => {
    return {
      key: `model ${name}`,
      title,
      slug: title,
      markdown: () => writeModel(source, { title, schema, document }, linksBut(name)),
      pages: [],
    };
  });
  return [{ key: "models", title: "Models", slug: MODELS, markdown: () => "# Models\n", pages }];
}

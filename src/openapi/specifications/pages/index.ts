// Builds the pages of a specification: one for each tag, and below it one for each operation. Operations without a tag stand beside
// the tags.

import { takeFreeSlug } from "../../../content/revision/computed";
import { createSlug } from "../../../content/slugs";
import type { FilesystemEntry } from "../read";
import type { SpecificationRoot } from "./authorization";
import { createDescriptionWriter } from "./descriptions";
import { escapeInlineText, formatCode, joinBlocks, truncateWords } from "./format-markdown";
import { writeModel } from "./model";
import { createModelLinks, listModels, type ModelLinks } from "./models";
import { type SpecificationOperation, writeExternalDocs, writeOperation } from "./operation";
import { iterateOperations } from "./operations";
import { PageWriter, type SpecificationContext } from "./page-writer";
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
  const resolve = createReferenceResolver(filesystem);
  const source: SpecificationContext = { resolve, describe: createDescriptionWriter() };
  const tags = new Map<string, TaggedOperations>();
  const untagged: SpecificationOperation[] = [];
  for (const tag of getListMember(root.value, "tags")) {
    const name = getTextMember(tag, "name");
    if (name !== undefined && !tags.has(name)) tags.set(name, { about: tag, operations: [] });
  }
  let room = MAX_PAGES;
  for (const operation of iterateOperations(root, resolve)) {
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
  const used = [...tags]
    .filter(([, { operations }]) => operations.length > 0)
    .map(([name, { about, operations }]) => {
      const shown = getTextMember(about, "x-displayName") ?? getTextMember(about, "summary");
      const title = truncateWords(shown, 200) ?? truncateWords(name, 200) ?? "Operations";
      return { name, title, slug: truncateWords(name, 200) ?? title, about, operations };
    });
  // The page of all models comes behind pages that may have the same slug.
  const takenSlugs = new Map<string, number>();
  for (const slug of [...used.map((tag) => tag.slug), ...untagged.map(getOperationSlug)])
    takeFreeSlug(createSlug(slug), takenSlugs);
  const folder = takeFreeSlug(MODELS, takenSlugs);

  const tagLinks = createModelLinks(models, `../${folder}/`);
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
        new PageWriter(source).described(getTextMember(about, "description"), 1),
        writeExternalDocs(about),
        "## Operations",
        lines.join("\n"),
      ]);
    };
    const operationPages = operations.map((operation) => buildOperationPage(source, operation, tagLinks));
    return { key: `tag ${name}`, title, slug, markdown, pages: operationPages };
  });
  const links = createModelLinks(models, `${folder}/`);
  for (const operation of untagged) pages.push(buildOperationPage(source, operation, links));

  // A page for each schema, below one for all of them.
  const modelLinks = createModelLinks(models, "");
  const modelPages = models.map(
    ({ name, schema, title }): SpecificationPage => ({
      key: `model ${name}`,
      title,
      slug: title,
      markdown: () =>
        writeModel(source, { title, schema, document: root.document }, (other) =>
          other === name ? undefined : modelLinks(other),
        ),
      pages: [],
    }),
  );
  if (models.length > 0)
    pages.push({ key: "models", title: "Models", slug: MODELS, markdown: () => "# Models\n", pages: modelPages });
  return pages;
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

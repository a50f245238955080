// A specification as pages: one for each tag, and below it one for each operation. What has no tag stands beside the tags.

import { withoutEndSlashes } from "../../web-address";
import type { FilesystemEntry } from "../read";
import { type Operation, operationMarkdown } from "./operation";
import { listIn, member, membersIn, resolverOf, textIn, type Values } from "./pointers";
import { schemaList } from "./schemas";
import { blocks, described, firstWords, inLine } from "./words";

/** A page that comes of a specification. */
export interface SpecificationPage {
  /** A lasting key, which does not depend on its words. */
  readonly key: string;
  readonly title: string;
  readonly slug: string;
  readonly description?: string;
  readonly markdown: () => string;
  readonly pages: readonly SpecificationPage[];
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];
/** The most pages of a specification. */
const MAX_PAGES = 10_000;

/** The pages of a specification; with `models` one for each of its schemas as well. */
export function pagesOf(filesystem: readonly FilesystemEntry[], options: { readonly models: boolean }) {
  const entry = filesystem.find(({ isEntrypoint }) => isEntrypoint);
  const document = entry?.filename ?? null;
  const root = entry?.specification;
  const resolve = resolverOf(filesystem);
  const tags = new Map<string, { readonly about: unknown; readonly pages: SpecificationPage[] }>();
  const untagged: SpecificationPage[] = [];
  for (const tag of listIn(root, "tags")) {
    const name = textIn(tag, "name");
    if (name !== undefined && !tags.has(name)) tags.set(name, { about: tag, pages: [] });
  }
  let room = MAX_PAGES;
  for (const operation of operationsIn(root, document, resolve)) {
    if (room-- <= 0) break;
    const page = pageOf(resolve, operation);
    const tag = listIn(operation.value, "tags").find((it) => typeof it === "string") as string | undefined;
    const name = operation.isWebhook ? "Webhooks" : tag;
    if (name === undefined) untagged.push(page);
    else {
      const known = tags.get(name) ?? { about: undefined, pages: [] };
      known.pages.push(page);
      tags.set(name, known);
    }
  }
  const groups = [...tags].filter(([, { pages }]) => pages.length > 0).map(([name, it]) => tagPage(name, it));
  const models = options.models ? modelPages(root, document, resolve, room) : [];
  return [...groups, ...untagged, ...models];
}

type Resolve = ReturnType<typeof resolverOf>;

function* operationsIn(root: unknown, document: string | null, resolve: Resolve): Generator<Operation> {
  const server = serverOf(root);
  for (const [member_, isWebhook] of [
    ["paths", false],
    ["webhooks", true],
  ] as const) {
    for (const [path, item] of membersIn(root, member_)) {
      const found = resolve(item, document);
      if (!found) continue;
      const shared = listIn(found.value, "parameters").flatMap((it) => resolve(it, found.document) ?? []);
      for (const [method, value] of Object.entries(found.value)) {
        if (!METHODS.includes(method) || typeof value !== "object" || value === null) continue;
        const operation = value as Values;
        const title = firstWords(textIn(operation, "summary"), 200) ?? titleOf(operation, method, path);
        yield { title, method, path, isWebhook, value: operation, document: found.document, shared, server };
      }
    }
  }
}

function titleOf(operation: Values, method: string, path: string): string {
  return firstWords(textIn(operation, "operationId"), 200) ?? `${method.toUpperCase()} ${path}`;
}

/** What paths begin with: the first server of OpenAPI 3, host and base path of Swagger 2. */
function serverOf(root: unknown): string {
  const url = textIn(listIn(root, "servers")[0], "url");
  if (url !== undefined) return withoutEndSlashes(url.slice(0, 500));
  const host = textIn(root, "host");
  const base = withoutEndSlashes((textIn(root, "basePath") ?? "").slice(0, 500));
  if (host === undefined) return base;
  const scheme = listIn(root, "schemes").find((it) => it === "http" || it === "https") ?? "https";
  return `${scheme}://${host.slice(0, 500)}${base}`;
}

function pageOf(resolve: Resolve, operation: Operation): SpecificationPage {
  const { title, method, path, isWebhook, value } = operation;
  const id = textIn(value, "operationId");
  const description = firstWords(textIn(value, "description"), 200);
  return {
    key: `${isWebhook ? "webhook" : "operation"} ${method} ${path}`,
    title,
    // Paths come from names, because words change more often, and a path should not.
    slug: id === undefined ? `${method} ${path}` : id.slice(0, 300).replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2"),
    ...(description === undefined ? {} : { description }),
    markdown: () => operationMarkdown(resolve, operation),
    pages: [],
  };
}

function tagPage(
  name: string,
  { about, pages }: { readonly about: unknown; readonly pages: readonly SpecificationPage[] },
): SpecificationPage {
  const title = firstWords(name, 200) ?? "Operations";
  return {
    key: `tag ${name}`,
    title,
    slug: title,
    markdown: () => blocks([`# ${inLine(title)}`, described(textIn(about, "description"))]),
    pages,
  };
}

/** A page for each schema, below one that holds them all. */
function modelPages(root: unknown, document: string | null, resolve: Resolve, room: number): SpecificationPage[] {
  const schemas = [...membersIn(member(root, "components"), "schemas"), ...membersIn(root, "definitions")];
  if (schemas.length === 0) return [];
  const pages = schemas.slice(0, Math.max(0, room)).map(([name, schema]): SpecificationPage => {
    const title = firstWords(name, 200) ?? "Model";
    const found = resolve(schema, document);
    return {
      key: `model ${name}`,
      title,
      slug: title,
      markdown: () =>
        blocks([
          `# ${inLine(title)}`,
          described(textIn(found?.value, "description")),
          schemaList(resolve, schema, document),
        ]),
      pages: [],
    };
  });
  return [{ key: "models", title: "Models", slug: "models", markdown: () => "# Models\n", pages }];
}

// Checks the answer of a content source before it is shown: a tree of pages of limited size and depth, texts that are
// checked as those of people are, and files, which are only URLs.

import * as v from "valibot";
import { sanitizeFileName } from "../../../content/files/file-names";
import { guessContentType } from "../../../content/files/guess-content-type";
import { type ComputedFile, type ComputedPage, takeFreeSlug } from "../../../content/revision/computed";
import { convertDocumentToMarkdown, MAX_TEXT_LENGTH } from "../../../content/revision/document-input";
import { createSlug, isSlug } from "../../../content/slugs";
import { textSchema, WebUrl } from "../../../operation/common-schemas";
import { omitUndefined } from "../../../utils/objects";
import { isSafeJson } from "../calls/component-response";
import { InvalidReplyError } from "./refused";

/** The longest answer, in UTF-16 units. */
const MAX_REPLY = 4 * 1024 * 1024;
const MAX_PAGES = 1000;
const MAX_FILES = 200;
/** The most levels of pages. */
const MAX_LEVELS = 8;
/** The limits of the JSON: a document of the greatest depth on the lowest level fits. */
const MOST = { depth: 200, values: 400_000, hasHandlers: false };
const MAX_PROPS = 10_000;
/** The most sets of dependencies that differ among the late texts of an answer. */
const MAX_SETS = 20;

/** What a page is computed from, by its author's own names. */
export type Props = { readonly [name: string]: unknown };

/** What a text is computed from when it is read. What is left out is that of the computed page. */
export interface LazyText {
  readonly props: Props;
  /** The source of the same integration that is asked. */
  readonly sourceId?: string;
  readonly dependencies?: Props;
}

/** The parsed answer of a source, and for each page with a late text the question for it, by key. */
export interface ComputedRevision {
  readonly pages: readonly ComputedPage[];
  readonly files: readonly ComputedFile[];
  readonly late: ReadonlyMap<string, LazyText>;
  /** All dependencies that late texts name, without those that are the same. */
  readonly dependencies: readonly Props[];
}

const Props = v.pipe(
  v.custom<Props>((it) => typeof it === "object" && it !== null && !Array.isArray(it), "Expected an object"),
  v.check((props) => JSON.stringify(props).length <= MAX_PROPS, `Expected at most ${MAX_PROPS} characters of JSON`),
);

const TextOfPage = v.union(
  [
    v.strictObject({ markdown: v.pipe(v.string(), v.maxLength(MAX_TEXT_LENGTH)) }),
    v.looseObject({ object: v.literal("document") }),
  ],
  `Expected a document, or { markdown } of at most ${MAX_TEXT_LENGTH} characters`,
);
type TextOfPage = v.InferOutput<typeof TextOfPage>;

const OwnId = v.pipe(
  v.string("Expected text"),
  v.regex(/^[\x21-\x7e]{1,200}$/, "Expected 1 to 200 characters of ASCII"),
);

/** As a computed page of a space says what it is computed from. */
const Computed = v.strictObject({
  type: v.pipe(v.string("Expected text"), v.maxLength(300, "Expected at most 300 characters")),
  props: v.optional(Props),
  dependencies: v.optional(Props),
});

const plain = {
  id: v.optional(OwnId),
  type: v.optional(v.picklist(["document", "group", "link"], "Expected document, group or link")),
  title: textSchema(1, 200),
  slug: v.optional(
    v.pipe(v.string("Expected text"), v.check(isSlug, "Expected lower-case words with single hyphens between them")),
  ),
  emoji: v.optional(textSchema(1, 50)),
  icon: v.optional(textSchema(1, 50)),
  description: v.optional(textSchema(0, 200)),
  href: v.optional(WebUrl),
  document: v.optional(TextOfPage),
  props: v.optional(Props),
  computed: v.optional(Computed),
};
const PlainPage = v.strictObject(plain);
type Page = v.InferOutput<typeof PlainPage> & { pages?: Page[] | undefined };

const Page: v.GenericSchema<Page> = v.pipe(
  v.strictObject({ ...plain, pages: v.optional(v.array(v.lazy(() => Page))) }),
  v.check(
    ({ document, props, computed }) => [document, props, computed].filter((it) => it !== undefined).length <= 1,
    "Expected document, computed or props",
  ),
  v.check(
    (page) => (page.type === "link") === (page.href !== undefined),
    "Expected href of a link, and of nothing else",
  ),
  v.check(
    ({ type = "document", document, props, computed }) =>
      type === "document" || (document ?? props ?? computed) === undefined,
    "Expected a text of documents alone",
  ),
  v.check(({ type, pages = [] }) => type !== "link" || pages.length === 0, "Expected no pages below a link"),
);

const ContentType = v.pipe(
  v.string("Expected text"),
  v.maxLength(200, "Expected at most 200 characters"),
  v.transform((type) => type.replace(/;.*/s, "").trim().toLowerCase()),
  v.regex(/^[\w.+-]+\/[\w.+-]+$/, "Expected a content type, such as image/png"),
);
const count = (min: number) =>
  v.pipe(
    v.number("Expected a number"),
    v.safeInteger("Expected a whole number"),
    v.minValue(min, `Expected ${min} or more`),
  );

const File = v.strictObject({
  id: OwnId,
  name: textSchema(1, 256),
  url: v.pipe(WebUrl, v.regex(/^[^\x00-\x20\x7f]*$/, "Expected a URL without white space")),
  contentType: v.optional(ContentType),
  size: v.optional(count(0)),
  dimensions: v.optional(v.strictObject({ width: count(1), height: count(1) })),
});

const RevisionReply = v.strictObject({
  pages: v.optional(v.array(Page)),
  files: v.optional(
    v.pipe(v.array(v.unknown()), v.maxLength(MAX_FILES, `Expected at most ${MAX_FILES}`), v.array(File)),
  ),
});
const DocumentReply = v.strictObject({ document: TextOfPage });

/**
 * The pages and files in the answer to `content_compute_revision`. Throws when it is invalid. `sourceNamed` gives the id
 * of a source of the integration by its type, and undefined for another's.
 */
export function parseRevisionReply(
  reply: string,
  sourceNamed: (type: string) => string | undefined = () => undefined,
): ComputedRevision {
  const { pages = [], files = [] } = checked(RevisionReply, reply);
  const late = new Map<string, LazyText>();
  const sets = new Map<string, Props>();
  const ids = new Set<string>();
  let count = 0;

  function take(siblings: readonly Page[], above: string, level: number): ComputedPage[] {
    if (siblings.length > 0 && level > MAX_LEVELS) throw refused("pages", `Expected at most ${MAX_LEVELS} levels`);
    const slugs = new Map<string, number>();
    for (const { slug } of siblings) {
      if (slug === undefined) continue;
      if (slugs.has(slug)) throw refused("pages", `The slug ${slug} stands twice beside each other`);
      slugs.set(slug, 0);
    }
    return siblings.map((page) => {
      if (++count > MAX_PAGES) throw refused("pages", `Expected at most ${MAX_PAGES}`);
      const slug = page.slug ?? takeFreeSlug(createSlug(page.title), slugs);
      const path = `${above}/${slug}`;
      const key = page.id === undefined ? `at ${path}` : `id ${page.id}`;
      if (ids.has(key)) throw refused("pages", `The id ${page.id} stands twice`);
      ids.add(key);
      const text = lateOf(page);
      if (text) late.set(key, text);
      return { ...ownOf(page), key, slug, pages: take(page.pages ?? [], path, level + 1) };
    });
  }

  function lateOf({ props, computed }: Page): LazyText | undefined {
    if (!computed) return props && { props };
    const sourceId = sourceNamed(computed.type);
    if (sourceId === undefined) throw refused("pages", `${computed.type} is no source of this integration`);
    const { dependencies } = computed;
    if (dependencies) sets.set(JSON.stringify(dependencies), dependencies);
    if (sets.size > MAX_SETS) throw refused("pages", `Expected at most ${MAX_SETS} dependencies that differ`);
    return { props: computed.props ?? {}, sourceId, ...omitUndefined({ dependencies }) };
  }

  return { pages: take(pages, "", 1), files: filesOf(files), late, dependencies: [...sets.values()] };
}

function filesOf(files: readonly v.InferOutput<typeof File>[]): ComputedFile[] {
  const ids = new Set<string>();
  return files.map(({ id, url, contentType, size = 0, dimensions, ...file }) => {
    if (ids.has(id)) throw refused("files", `The id ${id} stands twice`);
    ids.add(id);
    const name = sanitizeFileName(file.name);
    const type = contentType ?? guessContentType(name);
    return { id, name, url, contentType: type, size, ...omitUndefined({ dimensions }) };
  });
}

function ownOf(page: Page): Omit<ComputedPage, "key" | "slug" | "pages"> {
  const { title, emoji, icon, description, href, document, props, computed } = page;
  const markdown = document === undefined ? "" : markdownOf(document);
  return {
    title,
    ...omitUndefined({ emoji, icon, description }),
    ...(href === undefined
      ? { markdown: (props ?? computed) === undefined ? () => markdown : "lazy" }
      : { target: { kind: "url", url: href } }),
  };
}

/** The text in the answer to `content_compute_document`. Throws when it is invalid. */
export function parseDocumentReply(reply: string): string {
  return markdownOf(checked(DocumentReply, reply).document);
}

function markdownOf(document: TextOfPage): string {
  if (!("object" in document)) return document.markdown;
  const { issue, markdown } = convertDocumentToMarkdown(document);
  if (issue) throw refused(["document", issue.path].filter((it) => it !== "").join("."), issue.message);
  if (markdown.length > MAX_TEXT_LENGTH) throw refused("document", `Expected at most ${MAX_TEXT_LENGTH} characters`);
  return markdown;
}

function checked<Shape extends v.GenericSchema>(shape: Shape, reply: string): v.InferOutput<Shape> {
  if (reply.length > MAX_REPLY) throw new InvalidReplyError(`Its answer is longer than ${MAX_REPLY} characters.`);
  let value: unknown;
  try {
    value = JSON.parse(reply);
  } catch {
    throw new InvalidReplyError("Its answer is no JSON.");
  }
  if (!isSafeJson(value, MOST))
    throw new InvalidReplyError("Its answer is too deep or too large, or has names or addresses that are not let in.");
  if (Array.isArray(value)) throw refused("", "Expected an object");
  const { success, output, issues } = v.safeParse(shape, value, { abortEarly: true });
  if (success) return output;
  throw refused(v.getDotPath(issues[0]) ?? "", issues[0].message);
}

function refused(path: string, message: string): InvalidReplyError {
  return new InvalidReplyError(`Its answer is not shown: ${path === "" ? "" : `${path}: `}${message}.`);
}

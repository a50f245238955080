// Parses and checks the reply of a content source before it is shown: a tree of pages of limited size and depth, texts that are
// checked like those of people, and files, which are only URLs.

import * as v from "valibot";
import { sanitizeFileName } from "../../../content/files/file-names";
import { guessContentType } from "../../../content/files/guess-content-type";
import { type ComputedPage, takeFreeSlug } from "../../../content/revision/computed";
import { convertDocumentToMarkdown, MAX_TEXT_LENGTH } from "../../../content/revision/document-input";
import { createSlug, isSlug } from "../../../content/slugs";
import { textSchema, WebUrl } from "../../../operation/common-schemas";
import { tryParseJson } from "../../../utils/json";
import { isJsonObject, omitUndefined } from "../../../utils/objects";
import { isSafeJson } from "../calls/component-response";

/** The longest reply, in UTF-16 units. */
const MAX_REPLY = 4 * 1024 * 1024;
const MAX_PAGES = 1000;
const MAX_FILES = 200;
/** The most levels of pages. */
const MAX_LEVELS = 8;
/** The limits of the JSON: a document of the greatest depth on the lowest level fits. */
const REPLY_BOUNDS = { depth: 200, values: 400_000, hasHandlers: false };
const MAX_PROPS = 10_000;
/** The most different sets of dependencies among the lazy texts of a reply. */
const MAX_DEPENDENCY_SETS = 20;

/** A reply that is not shown. The message is shown to those who run the source. */
export class InvalidReplyError extends Error {}

/** The properties from which a page is computed. Their names are those of the source's author. */
export type SourceProps = { readonly [name: string]: unknown };

/** The inputs of a text that is computed when it is read. Absent inputs are those of the computed page. */
export interface LazyText {
  readonly props: SourceProps;
  /** The source of the same integration that computes the text. */
  readonly sourceId?: string;
  readonly dependencies?: SourceProps;
}

const SourceProps = v.pipe(
  v.custom<SourceProps>((it) => isJsonObject(it), "Expected an object"),
  v.check((props) => JSON.stringify(props).length <= MAX_PROPS, `Expected at most ${MAX_PROPS} characters of JSON`),
);

const PageText = v.union(
  [
    v.strictObject({ markdown: v.pipe(v.string(), v.maxLength(MAX_TEXT_LENGTH)) }),
    v.looseObject({ object: v.literal("document") }),
  ],
  `Expected a document, or { markdown } of at most ${MAX_TEXT_LENGTH} characters`,
);
type PageText = v.InferOutput<typeof PageText>;

const OwnId = v.pipe(
  v.string("Expected text"),
  v.regex(/^[\x21-\x7e]{1,200}$/, "Expected 1 to 200 characters of ASCII"),
);

/** The source of a page's text, in the form that computed pages of a space have. */
const ComputedBy = v.strictObject({
  type: v.pipe(v.string("Expected text"), v.maxLength(300, "Expected at most 300 characters")),
  props: v.optional(SourceProps),
  dependencies: v.optional(SourceProps),
});

const pageEntries = {
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
  document: v.optional(PageText),
  props: v.optional(SourceProps),
  computed: v.optional(ComputedBy),
};
const PageWithoutChildren = v.strictObject(pageEntries);
type ReplyPage = v.InferOutput<typeof PageWithoutChildren> & { pages?: ReplyPage[] | undefined };

const ReplyPage: v.GenericSchema<ReplyPage> = v.pipe(
  v.strictObject({ ...pageEntries, pages: v.optional(v.array(v.lazy(() => ReplyPage))) }),
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
const createIntegerSchema = (min: number) =>
  v.pipe(
    v.number("Expected a number"),
    v.safeInteger("Expected a whole number"),
    v.minValue(min, `Expected ${min} or more`),
  );

const ReplyFile = v.strictObject({
  id: OwnId,
  name: textSchema(1, 256),
  url: v.pipe(WebUrl, v.regex(/^[^\x00-\x20\x7f]*$/, "Expected a URL without white space")),
  contentType: v.optional(ContentType),
  size: v.optional(createIntegerSchema(0)),
  dimensions: v.optional(v.strictObject({ width: createIntegerSchema(1), height: createIntegerSchema(1) })),
});

const RevisionReply = v.strictObject({
  pages: v.optional(v.array(ReplyPage)),
  files: v.optional(
    v.pipe(v.array(v.unknown()), v.maxLength(MAX_FILES, `Expected at most ${MAX_FILES}`), v.array(ReplyFile)),
  ),
});
const DocumentReply = v.strictObject({ document: PageText });

/**
 * Parses the pages and files of a reply to `content_compute_revision`. Throws if it is invalid. `findSourceId` returns the id of a
 * source of the integration by its type, and undefined for a source of another integration.
 */
export function parseRevisionReply(
  reply: string,
  findSourceId: (type: string) => string | undefined = () => undefined,
) {
  const { pages = [], files = [] } = parseReply(RevisionReply, reply);
  const lazyTexts = new Map<string, LazyText>();
  const dependencySets = new Map<string, SourceProps>();
  const pageKeys = new Set<string>();
  let pageCount = 0;

  function convertPages(siblings: readonly ReplyPage[], parentPath: string, level: number): ComputedPage[] {
    if (siblings.length > 0 && level > MAX_LEVELS)
      throw createReplyError("pages", `Expected at most ${MAX_LEVELS} levels`);
    const slugs = new Map<string, number>();
    for (const { slug } of siblings) {
      if (slug === undefined) continue;
      if (slugs.has(slug)) throw createReplyError("pages", `The slug ${slug} stands twice beside each other`);
      slugs.set(slug, 0);
    }
    return siblings.map((page): ComputedPage => {
      if (++pageCount > MAX_PAGES) throw createReplyError("pages", `Expected at most ${MAX_PAGES}`);
      const { title, emoji, icon, description, href, document, props, computed } = page;
      const slug = page.slug ?? takeFreeSlug(createSlug(title), slugs);
      const path = `${parentPath}/${slug}`;
      const key = page.id === undefined ? `at ${path}` : `id ${page.id}`;
      if (pageKeys.has(key)) throw createReplyError("pages", `The id ${page.id} stands twice`);
      pageKeys.add(key);
      if (computed) {
        const { type, props = {}, dependencies } = computed;
        const sourceId = findSourceId(type);
        if (sourceId === undefined) throw createReplyError("pages", `${type} is no source of this integration`);
        if (dependencies) dependencySets.set(JSON.stringify(dependencies), dependencies);
        if (dependencySets.size > MAX_DEPENDENCY_SETS)
          throw createReplyError("pages", `Expected at most ${MAX_DEPENDENCY_SETS} dependencies that differ`);
        lazyTexts.set(key, { props, sourceId, ...omitUndefined({ dependencies }) });
      } else if (props) lazyTexts.set(key, { props });
      const markdown = document === undefined ? "" : convertText(document);
      return {
        title,
        ...omitUndefined({ emoji, icon, description }),
        ...(href === undefined
          ? { markdown: (props ?? computed) === undefined ? () => markdown : "lazy" }
          : { target: { kind: "url", url: href } }),
        key,
        slug,
        pages: convertPages(page.pages ?? [], path, level + 1),
      };
    });
  }

  const computedPages = convertPages(pages, "", 1);
  const fileIds = new Set<string>();
  const computedFiles = files.map(({ id, url, contentType, size = 0, dimensions, ...file }) => {
    if (fileIds.has(id)) throw createReplyError("files", `The id ${id} stands twice`);
    fileIds.add(id);
    const name = sanitizeFileName(file.name);
    const type = contentType ?? guessContentType(name);
    return { id, name, url, contentType: type, size, ...omitUndefined({ dimensions }) };
  });
  return { pages: computedPages, files: computedFiles, lazyTexts, dependencies: [...dependencySets.values()] };
}

/** Parses the text of a reply to `content_compute_document`. Throws if it is invalid. */
export function parseDocumentReply(reply: string): string {
  return convertText(parseReply(DocumentReply, reply).document);
}

function convertText(document: PageText): string {
  if (!("object" in document)) return document.markdown;
  const { issue, markdown } = convertDocumentToMarkdown(document);
  if (issue) throw createReplyError(["document", issue.path].filter((it) => it !== "").join("."), issue.message);
  if (markdown.length > MAX_TEXT_LENGTH)
    throw createReplyError("document", `Expected at most ${MAX_TEXT_LENGTH} characters`);
  return markdown;
}

function parseReply<Schema extends v.GenericSchema>(schema: Schema, reply: string): v.InferOutput<Schema> {
  if (reply.length > MAX_REPLY) throw new InvalidReplyError(`Its response is longer than ${MAX_REPLY} characters.`);
  const value = tryParseJson(reply);
  if (value === undefined) throw new InvalidReplyError("Its response isn't JSON.");
  if (!isSafeJson(value, REPLY_BOUNDS))
    throw new InvalidReplyError(
      "Its response is nested too deeply, is too large, or contains names or URLs that aren't allowed.",
    );
  if (Array.isArray(value)) throw createReplyError("", "Expected an object");
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true });
  if (success) return output;
  throw createReplyError(v.getDotPath(issues[0]) ?? "", issues[0].message);
}

function createReplyError(path: string, message: string): InvalidReplyError {
  return new InvalidReplyError(`Its answer is not shown: ${path === "" ? "" : `${path}: `}${message}.`);
}

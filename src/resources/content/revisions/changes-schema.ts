// Batches of changes on the wire.

import * as v from "valibot";
import { parseExpression } from "../../../content/expressions";
import { MAX_CHANGES } from "../../../content/revision/batch";
import {
  Id,
  listSchema,
  maxJsonSize,
  recordSchema,
  textSchema,
  Variables,
  WebUrl,
} from "../../../operation/common-schemas";
import { Cover, LayoutChanges, Reference, VariableChanges } from "./schema";

/** The longest text of a page, in characters, and the largest file inside a request, in bytes. */
export const MAX_PAGE_TEXT_LENGTH = 1024 * 1024;
const MAX_BASE64 = 4 * Math.ceil((1024 * 1024) / 3);

/** The text of a page. */
export const MarkdownText = v.strictObject({
  markdown: v.pipe(
    v.string("Expected text"),
    v.maxLength(MAX_PAGE_TEXT_LENGTH, `Expected at most ${MAX_PAGE_TEXT_LENGTH} characters`),
  ),
});

const Body = v.pipe(
  v.union(
    [
      MarkdownText,
      v.strictObject({ document: v.looseObject({ object: v.literal("document") }, "Expected a document") }),
      v.strictObject({}),
    ],
    "Expected {markdown}, {document} or {}",
  ),
  v.title("ContentBody"),
);

/** A valid condition; an empty one removes the condition. */
export const Condition = v.pipe(
  v.string("Expected an expression"),
  v.maxLength(1024, "Expected at most 1024 characters"),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value === "") return;
    const parsed = parseExpression(dataset.value);
    if (!parsed.ok) addIssue({ message: `${parsed.message} (at ${parsed.position})` });
  }),
);

const Members = v.pipe(
  recordSchema(v.string(), v.unknown(), 1000, "Expected at most 1000 members"),
  maxJsonSize(16 * 1024),
);

/** The source of a computed page. */
export const ComputedSource = v.pipe(
  v.strictObject({
    type: v.pipe(textSchema(1, 300), v.description("`builtin:openapi`, or `integration:<name>:<source>`.")),
    props: v.optional(v.pipe(Members, v.description("The properties to pass to the source. Defaults to none."))),
    dependencies: v.optional(
      v.pipe(Members, v.description("References that the source depends on, by name. Defaults to none.")),
    ),
  }),
  v.title("ComputedSource"),
  v.description("The source of computed content, in the format used by computed pages."),
);

const Ref = v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/, "Expected letters, digits, - and _")));
const BlockKey = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/, "Expected the key of a block"));
const PageTitle = textSchema(1, 255);
const Index = v.optional(v.pipe(v.number("Expected an index"), v.integer(), v.minValue(0)));
/** An id, or a `ref` of the batch. */
const Into = v.optional(v.nullable(Id));

const plainFields = {
  slug: v.optional(textSchema(1, 100)),
  emoji: v.optional(v.nullable(textSchema(1, 50))),
  icon: v.optional(v.nullable(textSchema(1, 50))),
  hidden: v.optional(v.boolean()),
  condition: v.optional(v.nullable(Condition)),
};

const fields = {
  ...plainFields,
  title: v.optional(PageTitle),
  description: v.optional(v.nullable(textSchema(0, 1000))),
  noIndex: v.optional(v.boolean()),
  noRobotsIndex: v.optional(v.boolean()),
  layout: v.optional(v.nullable(LayoutChanges)),
  cover: v.optional(v.nullable(Cover)),
  variables: v.optional(v.nullable(Variables)),
};

const NewFile = v.pipe(
  v.strictObject({
    name: textSchema(1, 256),
    contentType: v.optional(textSchema(1, 128)),
    ref: Ref,
    url: v.optional(WebUrl),
    base64: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(MAX_BASE64, "Expected at most 1 MB"),
        v.regex(/^[A-Za-z0-9+/]*={0,2}$/, "Expected base64"),
      ),
    ),
  }),
  v.check(({ url, base64 }) => (url === undefined) !== (base64 === undefined), "Expected one of url and base64"),
  v.check(({ base64, contentType }) => base64 === undefined || contentType !== undefined, "base64 needs a contentType"),
);

const Files = v.pipe(listSchema(Id, 100, "At most 100"), v.minLength(1, "At least 1"));

export const Change = v.variant(
  "operation",
  [
    v.strictObject({
      operation: v.literal("insert_page"),
      type: v.optional(v.picklist(["document", "computed"])),
      // A document needs `document`, and a computed page needs `computed`.
      document: v.optional(Body),
      computed: v.optional(ComputedSource),
      into: Into,
      at: Index,
      ref: Ref,
      ...fields,
    }),
    v.strictObject({
      operation: v.literal("update_page"),
      page: Id,
      document: v.optional(Body),
      computed: v.optional(ComputedSource),
      into: Into,
      at: Index,
      ...fields,
    }),
    v.strictObject({ operation: v.literal("move_page"), page: Id, into: Into, at: Index }),
    v.strictObject({ operation: v.literal("delete_page"), page: Id }),
    v.strictObject({
      operation: v.literal("revert_page"),
      page: Id,
      revision: v.optional(Id),
      block: v.optional(v.pipe(listSchema(BlockKey, 1000), v.minLength(1))),
    }),
    v.strictObject({ operation: v.literal("insert_group"), title: PageTitle, at: Index, ref: Ref, ...plainFields }),
    v.strictObject({
      operation: v.literal("insert_link"),
      title: PageTitle,
      target: Reference,
      into: Into,
      at: Index,
      ref: Ref,
      ...plainFields,
    }),
    v.strictObject({
      operation: v.literal("insert_files"),
      files: v.pipe(listSchema(NewFile, 20, "At most 20"), v.minLength(1, "At least 1")),
    }),
    v.strictObject({ operation: v.literal("delete_files"), files: Files }),
    v.strictObject({ operation: v.literal("keep_files"), files: Files }),
    v.strictObject({ operation: v.literal("set_variables"), variables: VariableChanges }),
    v.strictObject({ operation: v.literal("insert_reusable_content"), title: PageTitle, document: Body, ref: Ref }),
    v.strictObject({
      operation: v.literal("update_reusable_content"),
      reusableContent: Id,
      title: v.optional(PageTitle),
      document: v.optional(Body),
    }),
    v.strictObject({ operation: v.literal("delete_reusable_content"), reusableContent: Id }),
  ],
  "Expected an operation such as insert_page",
);

export type Change = v.InferOutput<typeof Change>;

export const Changes = v.pipe(
  v.strictObject({
    changes: v.pipe(
      listSchema(Change, MAX_CHANGES, `At most ${MAX_CHANGES}`, "Expected a list of changes"),
      v.minLength(1, "At least 1"),
    ),
  }),
  v.title("ChangeBatch"),
);

const ChangedPage = v.object({
  object: v.literal("page"),
  id: Id,
  urls: v.object({ location: v.string(), app: v.string() }),
});

/** The result of each change. */
export const ChangeOutcome = v.pipe(
  v.variant("object", [
    v.object({ object: v.literal("created_page"), ref: v.optional(v.string()), page: ChangedPage }),
    v.object({ object: v.literal("updated_page"), page: ChangedPage }),
    v.object({ object: v.literal("deleted_page"), page: Id }),
    v.object({
      object: v.literal("created_reusable_content"),
      ref: v.optional(v.string()),
      reusableContent: Id,
    }),
    v.object({ object: v.literal("updated_reusable_content"), reusableContent: Id }),
    v.object({ object: v.literal("deleted_reusable_content"), reusableContent: Id }),
  ]),
  v.title("ChangeOutcome"),
);

export const InsertedFile = v.object({
  object: v.literal("file"),
  id: Id,
  ref: v.optional(v.string()),
});

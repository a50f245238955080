// The fields of a page, from a change through the API or from the page's own text. The text wins over the change, so that a
// page is the same wherever it is read.

import { omitUndefined } from "../../utils/objects";
import { isSafeUrl } from "../document/safe-url";
import { type PageSourceChanges, parsePageSource } from "../page-source";
import type { LayoutSettings, PageEntry, PageFields, VariableValue } from "./entries";
import { ChangeError } from "./errors";

/** New values of fields. Null removes a field, except for the title and the slug. */
export type PageFieldInput = {
  readonly [Name in keyof PageFields]?: PageFields[Name] | (Name extends "title" | "slug" ? never : null) | undefined;
};

const fieldNames = [
  "title",
  "slug",
  "emoji",
  "icon",
  "description",
  "hidden",
  "noIndex",
  "noRobotsIndex",
  "condition",
  "layout",
  "cover",
  "variables",
] as const satisfies (keyof PageFields)[];

/** The longest value of some fields, in characters. A longer value that a text states is cut. */
const maxLengths = { title: 255, description: 1000, emoji: 50, icon: 50 } as const;
const MAX_CONDITION_LENGTH = 1024;
const MAX_COVER_LENGTH = 2048;
const MAX_VARIABLES = 100;
const MAX_VARIABLE_LENGTH = 256;
const variableName = /^\p{L}[\p{L}\p{N}_]{0,99}$/u;
/** The members of a layout that are shown or hidden, in a text as `{ visible: true }`. */
const visibilityNames = ["title", "description", "tableOfContents", "outline", "pagination", "metadata"] as const;
/** The maximum of all fields of a page together, in characters of their JSON. */
const MAX_FIELDS_LENGTH = 5000;

export function pickPageFields(change: object): PageFieldInput {
  const fields: Record<string, unknown> = {};
  for (const name of fieldNames) {
    const value = (change as Record<string, unknown>)[name];
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

/** Returns a page with new fields. A field that is null, empty or false is not stored. */
export function mergePageFields<Page extends Partial<PageEntry>>(page: Page, fields: PageFieldInput): Page {
  const merged: Record<string, unknown> = { ...page };
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const isRemoved = value === null || value === false || value === "" || isEmptyObject(value);
    if (isRemoved) delete merged[name];
    else merged[name] = value;
  }
  if (JSON.stringify(merged).length > MAX_FIELDS_LENGTH)
    throw new ChangeError("variables", "The fields of a page are too large together");
  return merged as Page;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Parses the fields that a text states of its page. Throws a `ChangeError` if the condition is too long. */
export function parseStatedFields(text: string) {
  const { fields, title } = parsePageSource(text);
  // A cover is stated as a path or a URL. The file at a path is looked up when the page is in its place.
  const { cover: url, coverY: yPos } = fields;
  const isValidCover = url !== undefined && url.length <= MAX_COVER_LENGTH && isSafeUrl(url, "image");
  const cover = isValidCover ? { ref: { kind: "url", url }, ...omitUndefined({ yPos }) } : undefined;
  const variables =
    fields.vars &&
    Object.entries(fields.vars).filter(
      ([name, value]) => variableName.test(name) && (typeof value !== "string" || value.length <= MAX_VARIABLE_LENGTH),
    );
  const layout: LayoutSettings | undefined =
    fields.layout &&
    omitUndefined({
      width: fields.layout.width === "default" || fields.layout.width === "wide" ? fields.layout.width : undefined,
      cover: fields.layout.cover?.visible,
      coverSize:
        fields.layout.cover?.size === "hero" || fields.layout.cover?.size === "full"
          ? fields.layout.cover.size
          : undefined,
      ...Object.fromEntries(visibilityNames.map((name) => [name, fields.layout?.[name]?.visible])),
    });
  const stated = pickPageFields({
    ...fields,
    title,
    condition: fields.if,
    variables: variables && (Object.fromEntries(variables.slice(0, MAX_VARIABLES)) as Record<string, VariableValue>),
    layout,
    cover,
  });
  if ((stated.condition?.length ?? 0) > MAX_CONDITION_LENGTH)
    throw new ChangeError(
      "document",
      `The condition in the front matter is longer than ${MAX_CONDITION_LENGTH} characters`,
    );

  const shortened: Record<string, string> = {};
  for (const [name, maxLength] of Object.entries(maxLengths)) {
    const value = stated[name as keyof typeof maxLengths];
    if (typeof value === "string") shortened[name] = [...value].slice(0, maxLength).join("");
  }
  return { fields: { ...stated, ...shortened }, names: Object.keys(stated).sort() };
}

/** Returns fields under the names that a page's text has for them. */
export function toPageSourceChanges(fields: PageFieldInput): PageSourceChanges {
  const { condition, variables, layout, cover, slug: _, ...rest } = fields;
  const changes: Record<string, unknown> = { ...rest };
  if (condition !== undefined) changes.if = condition === "" ? null : condition;
  if (variables !== undefined) changes.vars = variables;
  if (layout && !isEmptyObject(layout)) {
    const { width, cover, coverSize } = layout;
    const coverLayout = omitUndefined({ visible: cover, size: coverSize });
    const visibility = visibilityNames.map((name) => {
      const visible = layout[name];
      return [name, visible === undefined ? undefined : { visible }] as const;
    });
    changes.layout = omitUndefined({
      width,
      cover: isEmptyObject(coverLayout) ? undefined : coverLayout,
      ...Object.fromEntries(visibility),
    });
  } else if (layout !== undefined) changes.layout = null;
  if (cover !== undefined) {
    const ref = cover?.ref;
    changes.cover = ref?.kind === "url" ? ref.url : ref?.kind === "file" ? `/files/${ref.file}` : null;
    changes.coverY = cover?.yPos ?? null;
  }
  return changes as PageSourceChanges;
}

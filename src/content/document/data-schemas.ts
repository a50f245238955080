// Schemas for the data of each block, inline and mark. A member that a schema does not name is rejected.

import { FORBIDDEN_NAMES } from "../../utils/objects";
import { type BlockData, type InlineData, MAX_COLUMNS } from ".";
import { isSafeUrl } from "./safe-url";

/** Validates a value, and reports what is wrong with it. */
export type DataSchema = (value: unknown, path: string, report: ReportIssue) => void;

/** Records an issue of the value at a path. */
export type ReportIssue = (path: string, message: string) => void;

const ID = /^[A-Za-z0-9_-]{1,64}$/;
/** The deepest nesting of a `jsonObject`. */
const MAX_JSON_DEPTH = 8;

/** Checks that a value is an object as JSON has them. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export function joinPath(path: string, member: string): string {
  return path === "" ? member : `${path}.${member.slice(0, 64)}`;
}

const check = (isValid: (value: unknown) => boolean, message: string): DataSchema => {
  return (value, path, report) => {
    if (!isValid(value)) report(path, message);
  };
};

export const text = check((value) => typeof value === "string", "is not a text");
export const flag = check((value) => typeof value === "boolean", "is not true or false");
const number = check((value) => typeof value === "number" && Number.isFinite(value), "is not a number");
export const id = check((value) => typeof value === "string" && ID.test(value), "is not an id");
const url = check(
  (value) => typeof value === "string" && isSafeUrl(value),
  "is not an address that a document may hold",
);
const imageUrl = check(
  (value) => typeof value === "string" && isSafeUrl(value, "image"),
  "is not an address that an image may have",
);
const color = check(
  (value) => typeof value === "string" && /^(?:#[0-9a-fA-F]{3,8}|[a-zA-Z]{1,32})$/.test(value),
  "is not a color",
);
const imageSize = check(
  (value) =>
    typeof value === "number"
      ? Number.isFinite(value) && value >= 0
      : typeof value === "string" && /^[0-9.]{1,12}(?:px|%)?$/.test(value),
  "is not a size",
);
const columnSize = check(
  (value) => typeof value === "string" && value.length <= 32,
  "is not a width with a unit, such as 300px",
);
/** The width of a column in percent. Older documents have it as a text, so a text is valid too. */
const columnWidth = check(
  (value) =>
    typeof value === "number"
      ? Number.isFinite(value) && value >= 0 && value < 1e5
      : typeof value === "string" && value.length <= 32,
  "is not a number from 0 to 100000",
);
const rowOrder = check(
  (value) => typeof value === "string" || (typeof value === "number" && Number.isFinite(value)),
  "is not a place in an order",
);

/** Creates a schema for one of a few texts. */
export const picklist = (...values: string[]): DataSchema =>
  check((value) => values.includes(value as string), `is not one of ${values.join(", ")}`);

export const list =
  (item: DataSchema): DataSchema =>
  (value, path, report) => {
    if (!Array.isArray(value)) report(path, "is not a list");
    else for (const [i, element] of value.entries()) item(element, `${path}.${i}`, report);
  };

const map =
  (item: DataSchema, isKey: (key: string) => boolean = (key) => !FORBIDDEN_NAMES.has(key)): DataSchema =>
  (value, path, report) => {
    if (!isRecord(value)) {
      report(path, "is not an object");
      return;
    }
    for (const key of Object.keys(value)) {
      if (isKey(key)) item(value[key], `${path}.${key}`, report);
      else report(path, `has a member ${JSON.stringify(key.slice(0, 64))}, which is not allowed`);
    }
  };

/** Creates a schema for an object with these members. Members whose names end in `?` are optional. */
export const record = (members: Readonly<Record<string, DataSchema>>): DataSchema => {
  const schemas = new Map(Object.entries(members).map(([name, schema]) => [name.replace("?", ""), schema]));
  const required = Object.keys(members).filter((name) => !name.endsWith("?"));
  return (value, path, report) => {
    if (!isRecord(value)) {
      report(path, "is not an object");
      return;
    }
    for (const name of Object.keys(value)) {
      const schema = schemas.get(name);
      if (!schema) report(joinPath(path, name), "is unknown");
      else if (value[name] !== undefined || required.includes(name)) schema(value[name], joinPath(path, name), report);
    }
    for (const name of required) if (!Object.hasOwn(value, name)) report(joinPath(path, name), "is missing");
  };
};

/** Any JSON object. It is stored, and no code reads its members. */
export const jsonObject: DataSchema = (value, path, report) => {
  if (!isRecord(value)) {
    report(path, "is no object");
    return;
  }
  const visit = (part: unknown, partPath: string, depth: number): void => {
    if (depth > MAX_JSON_DEPTH) report(partPath, "is nested too deeply");
    else if (Array.isArray(part)) {
      for (const [i, item] of part.entries()) visit(item, `${partPath}.${i}`, depth + 1);
    } else if (isRecord(part)) {
      for (const key of Object.keys(part)) {
        if (FORBIDDEN_NAMES.has(key)) report(partPath, `has a member ${JSON.stringify(key)}, which is not allowed`);
        else visit(part[key], joinPath(partPath, key), depth + 1);
      }
    } else if (part !== null && !["string", "number", "boolean", "undefined"].includes(typeof part))
      report(partPath, "is not JSON");
  };
  visit(value, path, 0);
};

const REFS: ReadonlyMap<unknown, DataSchema> = new Map(
  Object.entries({
    url: record({ kind: text, url }),
    file: record({ kind: text, file: id, "space?": id }),
    page: record({ kind: text, page: id, "space?": id }),
    anchor: record({ kind: text, anchor: text, "page?": id, "space?": id }),
    user: record({ kind: text, user: id }),
    collection: record({ kind: text, collection: id }),
    space: record({ kind: text, space: id }),
    "reusable-content": record({ kind: text, reusableContent: id, "space?": id }),
    openapi: record({ kind: text, spec: text }),
  }),
);
const IMAGE_REFS: typeof REFS = new Map([...REFS, ["url", record({ kind: text, url: imageUrl })]]);

/** Creates a schema for references, by their kind. */
const createRefSchema =
  (schemas: typeof REFS): DataSchema =>
  (value, path, report) => {
    const kind = isRecord(value) && Object.hasOwn(value, "kind") ? value.kind : undefined;
    const schema = schemas.get(kind);
    if (schema) schema(value, path, report);
    else report(path, "is not a reference");
  };

const ref = createRefSchema(REFS);
const imageRef = createRefSchema(IMAGE_REFS);
const align = picklist("start", "center", "end");
const heading = record({ "id?": text, "align?": align });
const noData = record({});
const openapiOperation = record({ ref, path: text, method: text });

const isId = (key: string) => ID.test(key) && !FORBIDDEN_NAMES.has(key);

const columnDefinition = record({
  id,
  title: text,
  type: picklist("text", "number", "checkbox", "files", "users", "rating", "select", "content-ref", "image"),
  "textAlignment?": picklist("left", "center", "right"),
  "max?": number,
  "multiple?": flag,
  "options?": list(record({ value: text, label: text, "color?": color })),
});

const columnDefinitions = map(columnDefinition, isId);
const cellValues = map((value, path, report) => {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) if (typeof item !== "string") ref(item, `${path}.${i}`, report);
  } else if (isRecord(value)) imageRef(value, path, report);
  else if (!["string", "number", "boolean"].includes(typeof value)) report(path, "is not a value of a cell");
}, isId);

const gridView = record({ type: text, columns: list(id), "columnWidths?": map(number, isId), hideHeader: flag });
const cardsView = record({
  type: text,
  cardSize: picklist("medium", "large"),
  columns: list(id),
  "targetDefinition?": id,
  "coverDefinition?": id,
});

export const BLOCK_DATA: { readonly [Type in keyof BlockData]: DataSchema } = {
  paragraph: record({ "align?": align }),
  "heading-1": heading,
  "heading-2": heading,
  "heading-3": heading,
  "list-ordered": record({ "start?": number }),
  "list-unordered": noData,
  "list-tasks": noData,
  "list-item": record({ "checked?": flag }),
  divider: noData,
  blockquote: noData,
  hint: record({ style: picklist("info", "warning", "danger", "success"), "icon?": text }),
  if: record({ expression: text }),
  images: record({ "align?": align, "fullWidth?": flag }),
  image: record({ ref: imageRef, "refDark?": imageRef, "width?": imageSize, "height?": imageSize, "alt?": text }),
  file: record({ ref }),
  drawing: record({ "ref?": imageRef }),
  embed: record({ url, "fullWidth?": flag }),
  math: record({ formula: text }),
  code: record({
    "syntax?": text,
    "title?": text,
    "overflow?": picklist("wrap", "scroll"),
    "lineNumbers?": flag,
    "fullWidth?": flag,
    "meta?": text,
  }),
  "code-line": record({ "highlighted?": flag }),
  expandable: noData,
  tabs: record({ "fullWidth?": flag }),
  "tabs-item": record({ "title?": text }),
  table: record({
    view(value, path, report) {
      if (isRecord(value) && value.type === "cards") cardsView(value, path, report);
      else if (isRecord(value) && value.type === "grid") gridView(value, path, report);
      else report(path, "is not a view of a table");
    },
    records: map(record({ orderIndex: rowOrder, values: cellValues }), isId),
    definition(value, path, report) {
      columnDefinitions(value, path, report);
      if (isRecord(value) && Object.keys(value).length > MAX_COLUMNS)
        report(path, `has more than ${MAX_COLUMNS} columns`);
    },
    "fullWidth?": flag,
  }),
  "content-ref": record({ ref }),
  "reusable-content": record({ ref }),
  integration: record({ integration: text, block: text, props: map(text), "url?": url, "meta?": text }),
  stepper: noData,
  "stepper-step": noData,
  columns: record({ "fullWidth?": flag }),
  column: record({
    "width?": columnWidth,
    "size?": columnSize,
    "verticalAlignment?": picklist("top", "middle", "bottom"),
  }),
  swagger: openapiOperation,
  "openapi-operation": openapiOperation,
  "openapi-schemas": record({ ref, schemas: list(text), "grouped?": flag }),
  "openapi-webhook": record({ ref, name: text, method: text }),
  updates: record({ "format?": text }),
  update: record({ "date?": text, "tags?": list(text) }),
  unknown: record({ source: text }),
};

export const INLINE_DATA: { readonly [Type in keyof InlineData]: DataSchema } = {
  link: record({ ref }),
  emoji: record({ code: text, "name?": text }),
  icon: record({ icon: text }),
  expression: record({ expression: text }),
  "inline-math": record({ formula: text }),
  "inline-image": record({
    ref: imageRef,
    "refDark?": imageRef,
    "caption?": text,
    "size?": picklist("original", "line"),
    "alt?": text,
  }),
  annotation: noData,
  mention: record({ ref }),
  anchor: record({ id: text }),
  button: record({ label: text, kind: picklist("primary", "secondary"), "icon?": text, ref }),
};

const plainMark = record({
  object: picklist("mark"),
  type: picklist("bold", "italic", "code", "keyboard", "strikethrough", "superscript", "subscript"),
  "data?": noData,
});
const colorMark = record({ object: picklist("mark"), type: text, data: record({ text: color, background: color }) });

export const mark: DataSchema = (value, path, report) =>
  (isRecord(value) && value.type === "color" ? colorMark : plainMark)(value, path, report);

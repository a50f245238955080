// What the data of each block, inline and mark may look like. A member that is not named here is refused.

import type { BlockData, InlineData } from ".";
import { MAX_COLUMNS } from "./limits";
import { isSafeUrl } from "./urls";

/** Reports what is wrong with a value, and where. */
export type Check = (value: unknown, path: string, report: Report) => void;

/** Records an issue. */
export type Report = (path: string, message: string) => void;

const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);
const ID = /^[A-Za-z0-9_-]{1,64}$/;
/** How deep a value may be that is stored without being read. */
const MAX_FREE_DEPTH = 8;

/** Whether a key would reach the prototype of an object. */
export function isForbiddenKey(key: string): boolean {
  return FORBIDDEN.has(key);
}

/** Whether a value is an object as JSON has them. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const says = (isRight: (value: unknown) => boolean, message: string): Check => {
  return (value, path, report) => {
    if (!isRight(value)) report(path, message);
  };
};

/** Any text. */
export const text = says((value) => typeof value === "string", "is not a text");
/** True or false. */
export const flag = says((value) => typeof value === "boolean", "is not true or false");
const number = says((value) => typeof value === "number" && Number.isFinite(value), "is not a number");
/** An id or a key. */
export const id = says((value) => typeof value === "string" && ID.test(value), "is not an id");
const url = says(
  (value) => typeof value === "string" && isSafeUrl(value),
  "is not an address that a document may hold",
);
const imageUrl = says(
  (value) => typeof value === "string" && isSafeUrl(value, "image"),
  "is not an address that an image may have",
);
const color = says(
  (value) => typeof value === "string" && /^(?:#[0-9a-fA-F]{3,8}|[a-zA-Z]{1,32})$/.test(value),
  "is not a color",
);
const size = says(
  (value) =>
    typeof value === "number"
      ? Number.isFinite(value) && value >= 0
      : typeof value === "string" && /^[0-9.]{1,12}(?:px|%)?$/.test(value),
  "is not a size",
);
/** What the width of a column is written as, with its unit. */
const columnSize = says(
  (value) => typeof value === "string" && value.length <= 32,
  "is not a width with a unit, such as 300px",
);
/** In percent. Documents once had it as a text, so a text is taken too. */
const columnWidth = says(
  (value) =>
    typeof value === "number"
      ? Number.isFinite(value) && value >= 0 && value < 1e5
      : typeof value === "string" && value.length <= 32,
  "is not a number from 0 to 100000",
);

/** One of a few texts. */
export const oneOf = (...values: string[]): Check =>
  says((value) => values.includes(value as string), `is not one of ${values.join(", ")}`);

/** A list of values that all pass the same check. */
export const listOf =
  (check: Check): Check =>
  (value, path, report) => {
    if (!Array.isArray(value)) report(path, "is not a list");
    else for (const [i, item] of value.entries()) check(item, `${path}.${i}`, report);
  };

/** A map from names to values that all pass the same check. */
const mapOf =
  (check: Check, isKey: (key: string) => boolean = (key) => !isForbiddenKey(key)): Check =>
  (value, path, report) => {
    if (!isRecord(value)) {
      report(path, "is not an object");
      return;
    }
    for (const key of Object.keys(value)) {
      if (isKey(key)) check(value[key], `${path}.${key}`, report);
      else report(path, `has a member ${JSON.stringify(key.slice(0, 64))}, which is not allowed`);
    }
  };

type Members = Readonly<Record<string, Check>>;

/** An object with these members; those whose names end in `?` may be left out. */
export const record = (members: Members): Check => {
  const checks = new Map(Object.entries(members).map(([name, check]) => [name.replace("?", ""), check]));
  const required = Object.keys(members).filter((name) => !name.endsWith("?"));
  return (value, path, report) => {
    if (!isRecord(value)) {
      report(path, "is not an object");
      return;
    }
    for (const name of Object.keys(value)) {
      const check = checks.get(name);
      if (!check) report(join(path, name), "is not known here");
      else if (value[name] !== undefined || required.includes(name)) check(value[name], join(path, name), report);
    }
    for (const name of required) if (!Object.hasOwn(value, name)) report(join(path, name), "is missing");
  };
};

/** The path of a member. */
export function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name.slice(0, 64)}`;
}

const REFS: ReadonlyMap<unknown, Check> = new Map(
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
const IMAGE_URL = record({ kind: text, url: imageUrl });

const refWith =
  (urlCheck: Check | undefined): Check =>
  (value, path, report) => {
    const kind = isRecord(value) && Object.hasOwn(value, "kind") ? value.kind : undefined;
    const check = kind === "url" && urlCheck ? urlCheck : REFS.get(kind);
    if (check) check(value, path, report);
    else report(path, "is not a reference");
  };

const ref = refWith(undefined);
const imageRef = refWith(IMAGE_URL);
const align = oneOf("start", "center", "end");
const heading = record({ "id?": text, "align?": align });
const nothing = record({});
const operation = record({ ref, path: text, method: text });

const definition = record({
  id,
  title: text,
  type: oneOf("text", "number", "checkbox", "files", "users", "rating", "select", "content-ref", "image"),
  "textAlignment?": oneOf("left", "center", "right"),
  "max?": number,
  "multiple?": flag,
  "options?": listOf(record({ value: text, label: text, "color?": color })),
});

const definitions: Check = (value, path, report) => {
  mapOf(definition, isId)(value, path, report);
  if (isRecord(value) && Object.keys(value).length > MAX_COLUMNS) report(path, `has more than ${MAX_COLUMNS} columns`);
};

const cell: Check = (value, path, report) => {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) if (typeof item !== "string") ref(item, `${path}.${i}`, report);
  } else if (isRecord(value)) imageRef(value, path, report);
  else if (!["string", "number", "boolean"].includes(typeof value)) report(path, "is not a value of a cell");
};

const grid = record({ type: text, columns: listOf(id), "columnWidths?": mapOf(number, isId), hideHeader: flag });
const cards = record({
  type: text,
  cardSize: oneOf("medium", "large"),
  columns: listOf(id),
  "targetDefinition?": id,
  "coverDefinition?": id,
});
const view: Check = (value, path, report) => {
  if (isRecord(value) && value.type === "cards") cards(value, path, report);
  else if (isRecord(value) && value.type === "grid") grid(value, path, report);
  else report(path, "is not a view of a table");
};

function isId(key: string): boolean {
  return ID.test(key) && !isForbiddenKey(key);
}

/** The data of blocks, by type. */
export const BLOCK_DATA: { readonly [Type in keyof BlockData]: Check } = {
  paragraph: record({ "align?": align }),
  "heading-1": heading,
  "heading-2": heading,
  "heading-3": heading,
  "list-ordered": record({ "start?": number }),
  "list-unordered": nothing,
  "list-tasks": nothing,
  "list-item": record({ "checked?": flag }),
  divider: nothing,
  blockquote: nothing,
  hint: record({ style: oneOf("info", "warning", "danger", "success"), "icon?": text }),
  if: record({ expression: text }),
  images: record({ "align?": align, "fullWidth?": flag }),
  image: record({ ref: imageRef, "refDark?": imageRef, "width?": size, "height?": size, "alt?": text }),
  file: record({ ref }),
  drawing: record({ "ref?": imageRef }),
  embed: record({ url, "fullWidth?": flag }),
  math: record({ formula: text }),
  code: record({
    "syntax?": text,
    "title?": text,
    "overflow?": oneOf("wrap", "scroll"),
    "lineNumbers?": flag,
    "fullWidth?": flag,
    "meta?": text,
  }),
  "code-line": record({ "highlighted?": flag }),
  expandable: nothing,
  tabs: record({ "fullWidth?": flag }),
  "tabs-item": record({ "title?": text }),
  table: record({
    view,
    records: mapOf(
      record({ orderIndex: says(isOrder, "is not a place in an order"), values: mapOf(cell, isId) }),
      isId,
    ),
    definition: definitions,
    "fullWidth?": flag,
  }),
  "content-ref": record({ ref }),
  "reusable-content": record({ ref }),
  integration: record({ integration: text, block: text, props: mapOf(text), "url?": url, "meta?": text }),
  stepper: nothing,
  "stepper-step": nothing,
  columns: record({ "fullWidth?": flag }),
  column: record({
    "width?": columnWidth,
    "size?": columnSize,
    "verticalAlignment?": oneOf("top", "middle", "bottom"),
  }),
  swagger: operation,
  "openapi-operation": operation,
  "openapi-schemas": record({ ref, schemas: listOf(text), "grouped?": flag }),
  "openapi-webhook": record({ ref, name: text, method: text }),
  updates: record({ "format?": text }),
  update: record({ "date?": text, "tags?": listOf(text) }),
  unknown: record({ source: text }),
};

function isOrder(value: unknown): boolean {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
}

/** The data of inlines, by type. */
export const INLINE_DATA: { readonly [Type in keyof InlineData]: Check } = {
  link: record({ ref }),
  emoji: record({ code: text, "name?": text }),
  icon: record({ icon: text }),
  expression: record({ expression: text }),
  "inline-math": record({ formula: text }),
  "inline-image": record({
    ref: imageRef,
    "refDark?": imageRef,
    "caption?": text,
    "size?": oneOf("original", "line"),
    "alt?": text,
  }),
  annotation: nothing,
  mention: record({ ref }),
  anchor: record({ id: text }),
  button: record({ label: text, kind: oneOf("primary", "secondary"), "icon?": text, ref }),
};

const plainMark = record({
  object: oneOf("mark"),
  type: oneOf("bold", "italic", "code", "keyboard", "strikethrough", "superscript", "subscript"),
  "data?": nothing,
});
const colorMark = record({ object: oneOf("mark"), type: text, data: record({ text: color, background: color }) });

/** A mark. */
export const mark: Check = (value, path, report) =>
  (isRecord(value) && value.type === "color" ? colorMark : plainMark)(value, path, report);

/** An object of any JSON that is stored without being read. */
export const free: Check = (value, path, report) => {
  if (Array.isArray(value) || !isRecord(value)) {
    report(path, "is no object");
    return;
  }
  const visit = (part: unknown, at: string, depth: number): void => {
    if (depth > MAX_FREE_DEPTH) report(at, "is nested too deeply");
    else if (Array.isArray(part)) {
      for (const [i, item] of part.entries()) visit(item, `${at}.${i}`, depth + 1);
    } else if (isRecord(part)) {
      for (const key of Object.keys(part)) {
        if (isForbiddenKey(key)) report(at, `has a member ${JSON.stringify(key)}, which is not allowed`);
        else visit(part[key], join(at, key), depth + 1);
      }
    } else if (part !== null && !["string", "number", "boolean", "undefined"].includes(typeof part))
      report(at, "is not JSON");
  };
  visit(value, path, 0);
};

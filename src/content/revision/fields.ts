// The fields of a page, from a change through the API or from the page's own text. What the text states wins, so that a
// page says the same wherever it is read.

import { omitUndefined } from "../../utils/objects";
import { isSafeUrl } from "../document/safe-url";
import {
  type FrontMatterFields as FileFields,
  type PageLayout,
  type PageSourceChanges,
  parsePageSource,
} from "../page-source";
import {
  DEFAULT_LAYOUT,
  type LayoutSettings,
  type PageCover,
  type PageEntry,
  type PageFields,
  type VariableValue,
} from "./entries";
import { ChangeError } from "./errors";

/** Fields as they are given; null removes one. Title and slug cannot be removed. */
export type PageFieldInput = {
  readonly [Name in keyof PageFields]?: PageFields[Name] | (Name extends "title" | "slug" ? never : null) | undefined;
};

const names = [
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

/** The longest of each, in characters; what a text states beyond that is cut. */
const longest = { title: 255, description: 1000, emoji: 50, icon: 50 } as const;
const MAX_CONDITION = 1024;
const MAX_VARIABLES = 100;
/** The most that a page's fields take together, in characters of their JSON. */
const MAX_FIELDS = 5000;

/** The fields among the members of a change. */
export function pickPageFields(change: object): PageFieldInput {
  const found: Record<string, unknown> = {};
  for (const name of names) {
    const value = (change as Record<string, unknown>)[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/**
 * What a given layout says. Answers have a layout whole. So where a whole one comes back, a member that is as it would be
 * anyway says nothing, unless the page said it before.
 */
export function pickExplicitLayout(layout: LayoutSettings, before: LayoutSettings = {}): LayoutSettings {
  const members = Object.keys(DEFAULT_LAYOUT) as (keyof LayoutSettings)[];
  if (members.some((name) => layout[name] === undefined)) return layout;
  const said = members.filter((name) => layout[name] !== DEFAULT_LAYOUT[name] || before[name] !== undefined);
  return Object.fromEntries(said.map((name) => [name, layout[name]]));
}

/** A page with new fields. A field that is null, empty or false is not stored. */
export function mergePageFields<Page extends Partial<PageEntry>>(page: Page, fields: PageFieldInput): Page {
  const merged: Record<string, unknown> = { ...page };
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const isNothing = value === null || value === false || value === "" || isEmpty(value);
    if (isNothing) delete merged[name];
    else merged[name] = value;
  }
  if (JSON.stringify(merged).length > MAX_FIELDS)
    throw new ChangeError("variables", "The fields of a page are too large together");
  return merged as Page;
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** What a text states of its page. */
export interface StatedFields {
  readonly fields: PageFieldInput;
  readonly names: readonly string[];
}

/** Reads what a text states of its page. */
export function parseStatedFields(text: string): StatedFields {
  const { fields, title } = parsePageSource(text);
  const stated = pickPageFields({
    ...fields,
    title,
    condition: fields.if,
    variables: fields.vars && variablesFrom(fields.vars),
    layout: fields.layout && layoutFrom(fields.layout),
    cover: coverFrom(fields),
  });
  if ((stated.condition?.length ?? 0) > MAX_CONDITION)
    throw new ChangeError("document", `The condition in the front matter is longer than ${MAX_CONDITION} characters`);
  const cut = Object.entries(longest).flatMap(([name, most]) => {
    const value = stated[name as keyof typeof longest];
    return typeof value === "string" ? [[name, [...value].slice(0, most).join("")]] : [];
  });
  return { fields: { ...stated, ...Object.fromEntries(cut) }, names: Object.keys(stated).sort() };
}

/** Fields under the names that a page's text has for them. */
export function toPageSourceChanges(fields: PageFieldInput): PageSourceChanges {
  const { condition, variables, layout, cover, slug: _, ...same } = fields;
  const changes: Record<string, unknown> = { ...same };
  if (condition !== undefined) changes.if = condition === "" ? null : condition;
  if (variables !== undefined) changes.vars = variables;
  if (layout !== undefined) changes.layout = layout && !isEmpty(layout) ? layoutTo(layout) : null;
  if (cover !== undefined) {
    changes.cover = cover && coverText(cover);
    changes.coverY = cover?.yPos ?? null;
  }
  return changes as PageSourceChanges;
}

function variablesFrom(vars: Readonly<Record<string, VariableValue>>): Record<string, VariableValue> {
  const fitting = Object.entries(vars).filter(
    ([name, value]) => /^\p{L}[\p{L}\p{N}_]{0,99}$/u.test(name) && (typeof value !== "string" || value.length <= 256),
  );
  return Object.fromEntries(fitting.slice(0, MAX_VARIABLES));
}

const switches = ["title", "description", "tableOfContents", "outline", "pagination", "metadata"] as const;

function layoutFrom(layout: PageLayout): LayoutSettings {
  const shown = switches.flatMap((name) => {
    const visible = layout[name]?.visible;
    return visible === undefined ? [] : [[name, visible]];
  });
  const { width, cover } = layout;
  return {
    ...omitUndefined({
      width: width === "default" || width === "wide" ? width : undefined,
      cover: cover?.visible === undefined ? undefined : cover.visible,
      coverSize: cover?.size === "hero" || cover?.size === "full" ? cover.size : undefined,
    }),
    ...Object.fromEntries(shown),
  };
}

function layoutTo(layout: LayoutSettings): PageLayout {
  const { width, cover, coverSize } = layout;
  const shown = switches.flatMap((name) => (layout[name] === undefined ? [] : [[name, { visible: layout[name] }]]));
  const coverPart = {
    ...omitUndefined({ visible: cover, size: coverSize }),
  };
  return {
    ...omitUndefined({ width, cover: isEmpty(coverPart) ? undefined : coverPart }),
    ...Object.fromEntries(shown),
  };
}

/** A cover in a text is a path or a URL. The file is looked up when the page is in its place. */
function coverFrom({ cover, coverY }: FileFields): PageCover | undefined {
  if (cover === undefined || cover.length > 2048 || !isSafeUrl(cover, "image")) return undefined;
  return { ref: { kind: "url", url: cover }, ...omitUndefined({ yPos: coverY }) };
}

function coverText({ ref }: PageCover): string | null {
  if (ref.kind === "url") return ref.url;
  return ref.kind === "file" ? `/files/${ref.file}` : null;
}

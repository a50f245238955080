// A page file: YAML front matter, a leading title, the body. Its text is kept byte for byte; reading never throws, and a
// change touches only what the text itself states.

import { omitUndefined } from "../../utils/objects";
import { type Edit, edited } from "../edits";
import { frontMatterEdits } from "./change";
import { FIELDS, type Issue, type PageFields } from "./fields";
import { type FrontMatter, frontMatterOf, states } from "./front-matter";
import { textStart } from "./place";
import { afterBlankLines, escaped, headingFor, type LeadingTitle, leadingTitleAt, oneLine } from "./title";
import { type Data, nodeOf, printed, same } from "./yaml-text";

export type { Issue, PageFields, PageLayout } from "./fields";

/** What a page's text says of the page. */
export interface PageFile {
  readonly fields: PageFields;
  /** From the front matter, else from the leading heading. */
  readonly title?: string;
  /** Where the body begins: after the front matter, the leading title and empty lines. */
  readonly bodyStart: number;
  /** What was ignored, and why. */
  readonly issues: readonly Issue[];
}

/** New values for a page's fields and title; null removes one. */
export type PageChanges = { readonly [Name in keyof PageFields]?: PageFields[Name] | null } & {
  readonly title?: string | null;
};

/** Reads a page's text. Whatever is wrong with it is an issue, never an error. */
export function readPageFile(text: string): PageFile {
  const { front, heading, bodyStart } = partsOf(text);
  const { title: stated, ...fields } = (front?.values ?? {}) as PageFields & { title?: string };
  const title = (stated === undefined ? undefined : oneLine(stated)) ?? heading?.text;
  return { fields, ...omitUndefined({ title }), bodyStart, issues: front?.issues ?? [] };
}

/** A page's text with other values where it already states them; nothing is added. If a value cannot be changed without
 * harm to the rest, such as one that other values refer to, the text stays as it is. */
export function changePageFile(text: string, changes: PageChanges): string {
  const { front, heading } = partsOf(text);
  const wanted = typeof changes.title === "string" ? { ...changes, title: oneLine(changes.title) ?? null } : changes;
  try {
    const edits = [
      ...(front ? frontMatterEdits(text, front, wanted) : []),
      ...(heading && wanted.title !== undefined ? headingEdits(heading, wanted.title) : []),
    ];
    const changed = edited(text, edits);
    return saysTheSame(front, partsOf(changed).front, wanted) ? changed : text;
  } catch {
    // yaml cannot print a value that refers to an anchor outside of it.
    return text;
  }
}

/** A page's text from its fields, its title and its body, for a text that states none of them itself. */
export function composePageFile(fields: PageFields & { readonly title?: string }, body: string): string {
  const { title, ...stated } = fields;
  const names = Object.keys(FIELDS).filter((name) => Reflect.get(stated, name) !== undefined);
  const values = Object.fromEntries(names.map((name) => [name, Reflect.get(stated, name) as Data]));
  const front = names.length > 0 ? `---\n${printed(nodeOf(values))}\n---\n\n` : "";
  const heading = title === undefined || oneLine(title) === undefined ? "" : `${headingFor(title)}\n\n`;
  return front + heading + body;
}

interface Parts {
  readonly front: FrontMatter | undefined;
  readonly heading: LeadingTitle | undefined;
  readonly bodyStart: number;
}

function partsOf(text: string): Parts {
  const start = textStart(text);
  const front = frontMatterOf(text);
  const heading = leadingTitleAt(text, front?.after ?? start);
  const bodyStart = heading?.after ?? (front ? afterBlankLines(text, front.after) : start);
  return { front, heading, bodyStart };
}

function headingEdits({ start, end, after, text, words }: LeadingTitle, title: string | null): Edit[] {
  if (title === null) return [{ from: start, to: after, text: "" }];
  if (title === text) return [];
  return words ? [{ ...words, text: escaped(title) }] : [{ from: start, to: end, text: headingFor(title) }];
}

/** Whether the changed front matter states the wanted values, keeps all others, and has no new problems. */
function saysTheSame(before: FrontMatter | undefined, after: FrontMatter | undefined, wanted: PageChanges): boolean {
  if (!before || !after) return before === after;
  if (after.issues.length > before.issues.length) return false;
  return Object.keys(FIELDS).every((name) => {
    const value: unknown = Reflect.get(wanted, name);
    const isChanged = value !== undefined && states(before, name);
    return same(after.values[name], isChanged ? (value ?? undefined) : before.values[name]);
  });
}

// The Markdown source of a page: front matter, a leading title and the body. Parsing never throws, and an update changes only
// what the text itself states; all other bytes stay.

import { omitUndefined } from "../../utils/objects";
import { applyTextEdits, type TextEdit } from "../text-edits";
import { skipByteOrderMark } from "./find-front-matter";
import { type FrontMatter, parseFrontMatter } from "./front-matter";
import { computeFrontMatterEdits } from "./front-matter-edits";
import { FIELDS, type FrontMatterFields, type FrontMatterIssue, findPairs } from "./front-matter-fields";
import { escapeHeadingText, findLeadingTitle, type LeadingTitle, skipBlankLines, toSingleLine } from "./title";
import { createYamlNode, type FrontMatterValue, formatYaml, isDeepEqual } from "./yaml";

export type { FrontMatterFields, FrontMatterIssue, PageLayout } from "./front-matter-fields";

/** The information that a page's text states about the page. */
export interface PageSource {
  readonly fields: FrontMatterFields;
  /** The title of the front matter, else of the leading heading. */
  readonly title?: string;
  /** The start of the body: after the front matter, the leading title and blank lines. */
  readonly bodyStart: number;
  /** The ignored parts of the front matter. */
  readonly issues: readonly FrontMatterIssue[];
}

/** New values for the fields and the title of a page; null removes one. */
export type PageSourceChanges = { readonly [Name in keyof FrontMatterFields]?: FrontMatterFields[Name] | null } & {
  readonly title?: string | null;
};

/** Parses the text of a page. Problems of the text are reported as issues, never thrown. */
export function parsePageSource(text: string): PageSource {
  const { frontMatter, heading, bodyStart } = splitPageSource(text);
  const { title: frontMatterTitle, ...fields } = (frontMatter?.values ?? {}) as FrontMatterFields & { title?: string };
  const title = (frontMatterTitle === undefined ? undefined : toSingleLine(frontMatterTitle)) ?? heading?.text;
  return { fields, ...omitUndefined({ title }), bodyStart, issues: frontMatter?.issues ?? [] };
}

/**
 * Returns the text of a page with other values in the places where it already states them; nothing is added. If a value cannot be
 * changed without affecting others, such as one that other values refer to, the text is returned as it is.
 */
export function updatePageSource(text: string, changes: PageSourceChanges): string {
  const { frontMatter, heading } = splitPageSource(text);
  const title = typeof changes.title === "string" ? (toSingleLine(changes.title) ?? null) : changes.title;
  const newValues = title === undefined ? changes : { ...changes, title };
  try {
    const edits: TextEdit[] = frontMatter ? computeFrontMatterEdits(text, frontMatter, newValues) : [];
    if (heading && title === null) edits.push({ from: heading.start, to: heading.after, text: "" });
    else if (heading && typeof title === "string" && title !== heading.text) {
      const { start, end, words } = heading;
      if (words) edits.push({ ...words, text: escapeHeadingText(title) });
      else edits.push({ from: start, to: end, text: `# ${escapeHeadingText(title)}` });
    }
    const updated = applyTextEdits(text, edits);

    // The updated front matter must have the new values, keep all others, and have no new issues.
    const after = splitPageSource(updated).frontMatter;
    if (!frontMatter || !after) return frontMatter === after ? updated : text;
    const isExpected = Object.keys(FIELDS).every((name) => {
      const newValue: unknown = Reflect.get(newValues, name);
      const isChanged = newValue !== undefined && findPairs(frontMatter.map, name).length > 0;
      return isDeepEqual(after.values[name], isChanged ? (newValue ?? undefined) : frontMatter.values[name]);
    });
    return isExpected && after.issues.length <= frontMatter.issues.length ? updated : text;
  } catch {
    // The `yaml` package throws when it formats a value that refers to an anchor outside of it.
    return text;
  }
}

/** Composes the text of a page from its fields, its title and a body that states none of them itself. */
export function composePageSource(fields: FrontMatterFields & { readonly title?: string }, body: string): string {
  const { title, ...frontMatterFields } = fields;
  const names = Object.keys(FIELDS).filter((name) => Reflect.get(frontMatterFields, name) !== undefined);
  const values = Object.fromEntries(
    names.map((name) => [name, Reflect.get(frontMatterFields, name) as FrontMatterValue]),
  );
  const frontMatter = names.length > 0 ? `---\n${formatYaml(createYamlNode(values))}\n---\n\n` : "";
  const heading = title === undefined || toSingleLine(title) === undefined ? "" : `# ${escapeHeadingText(title)}\n\n`;
  return frontMatter + heading + body;
}

interface SplitPageSource {
  readonly frontMatter: FrontMatter | undefined;
  readonly heading: LeadingTitle | undefined;
  readonly bodyStart: number;
}

function splitPageSource(text: string): SplitPageSource {
  const start = skipByteOrderMark(text);
  const frontMatter = parseFrontMatter(text);
  const heading = findLeadingTitle(text, frontMatter?.after ?? start);
  const bodyStart = heading?.after ?? (frontMatter ? skipBlankLines(text, frontMatter.after) : start);
  return { frontMatter, heading, bodyStart };
}

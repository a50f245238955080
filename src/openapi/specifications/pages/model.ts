// Writes a schema of an API as Markdown: its description, its members, and an example.

import { describeSchemaType } from "./describe-type";
import { writeExamples } from "./examples";
import { escapeInlineText, joinBlocks } from "./format-markdown";
import type { ModelLinks } from "./models";
import { writeExternalDocs } from "./operation";
import { PageWriter, type SpecificationContext } from "./page-writer";
import { getOwnMember, getTextMember } from "./resolve-references";
import { writeConstraints, writeMembers } from "./schemas";

/** A schema with its name and its document. */
interface NamedSchema {
  readonly title: string;
  readonly schema: unknown;
  readonly document: string | null;
}

/** Writes the page of a schema. */
export function writeModel(
  source: SpecificationContext,
  { title, schema, document }: NamedSchema,
  links?: ModelLinks,
): string {
  const writing = new PageWriter(source, links);
  const found = source.resolve(schema, document)?.value;
  const members = writeMembers(writing, schema, document);
  return joinBlocks([
    `# ${escapeInlineText(title)}`,
    getOwnMember(found, "deprecated") === true ? "**Deprecated.**" : "",
    writing.described(getTextMember(found, "description"), 1),
    writeExternalDocs(found),
    members === "" ? writing.linkType(describeSchemaType(source.resolve, schema, document)) : "",
    writeConstraints(writing, schema, document),
    members,
    ...writeExamples(writing, { schema, document, types: [], use: "response" }),
  ]);
}

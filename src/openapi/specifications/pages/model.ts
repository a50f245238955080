// A schema of an API as Markdown: what it is for, its members, and an example.

import { exampleBlocks } from "./examples";
import { kindOf } from "./kinds";
import type { ModelLinks } from "./models";
import { moreAt } from "./operation";
import { member, textIn } from "./pointers";
import { demands, memberList } from "./schemas";
import { blocks, inLine } from "./words";
import { type Source, Writing } from "./writing";

/** A schema, its name, and the document that it stands in. */
interface NamedSchema {
  readonly title: string;
  readonly schema: unknown;
  readonly document: string | null;
}

export function modelMarkdown(source: Source, { title, schema, document }: NamedSchema, links: ModelLinks): string {
  const writing = new Writing(source, links);
  const found = source.resolve(schema, document)?.value;
  const members = memberList(writing, schema, document);
  return blocks([
    `# ${inLine(title)}`,
    member(found, "deprecated") === true ? "**Deprecated.**" : "",
    writing.described(textIn(found, "description"), 1),
    moreAt(found),
    members === "" ? writing.kind(kindOf(source.resolve, schema, document)) : "",
    demands(writing, schema, document),
    members,
    ...exampleBlocks(writing, { schema, document, types: [], use: "response" }),
  ]);
}

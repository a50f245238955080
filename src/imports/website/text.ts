// A page that was read, as the text of a page file.

import type { Block, Document } from "../../content/document";
import { writeMarkdown } from "../../content/markdown/write";
import { composePageFile } from "../../content/page-file";
import type { SitePage } from "./page";

/** A page's text, with each address as `link` writes it. */
export function sitePageText({ title, description, nodes }: SitePage, link: (url: string) => string): string {
  const document: Document = { object: "document", data: {}, nodes: JSON.parse(nodes) as Block[] };
  const body = writeMarkdown(document, { href: (ref) => (ref.kind === "url" ? link(ref.url) : "") });
  return composePageFile(
    { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) },
    body,
  );
}

// The content to print: the pages of one revision with the computed ones, evaluated, and the files of the same revision.
// Beside that only the titles of referenced things are read.

import { decidedPage } from "../../../../content/evaluate/page-words";
import type { PrintedPage, PrintJob } from "../../../../content/print-job";
import { omitUndefined } from "../../../../utils/objects";
import { changeRequests } from "../../change-requests/records";
import { type Shown, shownIn } from "../computed-content";
import type { Looking } from "../references";
import { documentOf, evaluatedText } from "../texts";
import { outlineOf, type Placed, printScope } from "./outline";
import { PrintReferences } from "./references";
import type { Print } from "./urls";

/** What printing needs. */
export interface Printing extends Looking {
  readonly print: Print;
}

/** Larger files are not printed as pictures. */
const LARGEST_PICTURE = 24 * 1024 * 1024;

/** The input of a printer. */
export async function printJob(context: Printing): Promise<PrintJob> {
  const { revision, print } = context;
  const shown = shownIn({ ...context, query: {} }, revision);
  const { view, objects } = shown;
  const variables = await view.getVariables();
  const pages = (await view.listPages()).map((page) => decidedPage(page, printScope(variables, page)));
  const outline = outlineOf(pages, variables, print);
  const references = new PrintReferences(context, view, pages);
  return {
    ...(await titles(context, outline)),
    date: new Date(revision.createdAt),
    pages: printedPages(shown, outline, references),
    url: (ref) => references.url(ref),
    name: (ref) => references.name(ref),
    async file(id) {
      const file = await view.getFile(id);
      if (!file || file.size > LARGEST_PICTURE) return undefined;
      return { bytes: await objects.bytes(file.object), contentType: file.contentType };
    },
  };
}

/** The title of the space or of the page; below it, the space of a page and the change request. */
async function titles({ tx, space, revision, print }: Printing, [first]: readonly Placed[]) {
  const { changeRequest: id } = revision;
  const changeRequest = id === null ? undefined : await changeRequests.get(tx, space.id, id);
  const title = print.page === null ? space.title : (first?.page.title ?? space.title);
  const subtitle = [
    ...(print.page === null ? [] : [space.title]),
    ...(changeRequest ? [`#${changeRequest.number} ${changeRequest.subject}`.trim()] : []),
  ].join(" · ");
  return { title, ...omitUndefined({ subtitle: subtitle ? subtitle : undefined }) };
}

async function* printedPages(
  { view, objects: { text: textOf } }: Shown,
  outline: readonly Placed[],
  references: PrintReferences,
): AsyncGenerator<PrintedPage> {
  for (const { page, depth } of outline) {
    const { id, title, description, body } = page;
    const source = body === undefined ? undefined : { id, body, page };
    // Code that an integration would draw is printed as code.
    const shown = source && (await evaluatedText(textOf, view, source, await textOf(source.body)));
    const document = source && shown && (await documentOf(view, source, shown));
    if (document) await references.learn(document);
    yield {
      id,
      title,
      depth,
      ...omitUndefined({ description: description && document ? description : undefined, document }),
    };
  }
}

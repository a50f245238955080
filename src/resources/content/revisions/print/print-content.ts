// The content to print: the pages of one revision with the computed ones, evaluated, and the files of the same revision. Only the
// titles of referenced things are read besides that. A hidden page, or one with a condition that a visitor without claims does not
// meet, is left out with the pages below it, unless it is the requested page. Links and empty groups are left out as well.

import type { Document } from "../../../../content/document";
import { resolvePageConditions } from "../../../../content/evaluate/resolve-page";
import { type ExpressionScope, isConditionMet } from "../../../../content/expressions";
import type { PrintedPage, PrintJob } from "../../../../content/print-job";
import type { PageEntry, VariableValue } from "../../../../content/revision/entries";
import { buildPageTree } from "../../../../content/revision/page-tree";
import type { WithId } from "../../../../content/revision/view";
import { omitUndefined } from "../../../../utils/objects";
import { changeRequests } from "../../change-requests/records";
import { getShownContent } from "../computed-content";
import type { ReferenceContext } from "../references";
import { evaluateText, readDocumentWithRefs } from "../texts";
import type { PrintClaims } from "./print-urls";
import { PrintReferences } from "./references";

/** The context of printing. */
export interface PrintContext extends ReferenceContext {
  readonly print: PrintClaims;
}

/** Larger files are not printed as pictures. */
const MAX_PICTURE_BYTES = 24 * 1024 * 1024;

/** Creates the input of a printer. */
export async function createPrintJob(context: PrintContext): Promise<PrintJob> {
  const { tx, space, revision, print } = context;
  const { view, objects } = getShownContent({ ...context, query: {} }, revision);
  const variables = await view.getVariables();
  const pages = (await view.listPages()).map((page) => resolvePageConditions(page, createPrintScope(variables, page)));
  const tree = buildPageTree(pages);
  const listBranch = (parent: string | null, depth: number): OutlineItem[] => {
    const items: OutlineItem[] = [];
    for (const page of tree.get(parent) ?? []) {
      if (page.hidden === true || !isConditionMet(page.condition, createPrintScope(variables, page))) continue;
      const below = listBranch(page.id, depth + 1);
      if (page.type !== "document" && below.length === 0) continue;
      items.push({ page, depth });
      for (const item of below) items.push(item);
    }
    return items;
  };
  let outline: readonly OutlineItem[];
  if (print.page === null) outline = listBranch(null, 0);
  else {
    const requested = pages.filter(({ id }) => id === print.page).map((page) => ({ page, depth: 0 }));
    outline = print.only || requested.length === 0 ? requested : [...requested, ...listBranch(print.page, 1)];
  }
  const references = new PrintReferences(context, view, pages);

  // The title is that of the space or the page. The subtitle has the space of a page, and the change request.
  const isWholeSpace = print.page === null;
  const changeRequest =
    revision.changeRequest === null ? undefined : await changeRequests.get(tx, space.id, revision.changeRequest);
  const subtitles: string[] = [];
  if (!isWholeSpace) subtitles.push(space.title);
  if (changeRequest) subtitles.push(`#${changeRequest.number} ${changeRequest.subject}`.trim());

  async function* printPages(): AsyncGenerator<PrintedPage> {
    for (const { page, depth } of outline) {
      const { id, title, description, body } = page;
      let document: Document | undefined;
      if (body !== undefined) {
        const source = { id, body, page };
        // Code that an integration would render is printed as code.
        const text = await evaluateText(objects.text, view, source, await objects.text(body));
        ({ document } = await readDocumentWithRefs(view, source, text));
        await references.resolveDocument(document);
      }
      const shownDescription = description && document ? description : undefined;
      yield { id, title, depth, ...omitUndefined({ description: shownDescription, document }) };
    }
  }
  return {
    title: isWholeSpace ? space.title : (outline[0]?.page.title ?? space.title),
    ...omitUndefined({ subtitle: subtitles.join(" · ") || undefined }),
    date: new Date(revision.createdAt),
    pages: printPages(),
    url: (ref) => references.getUrl(ref),
    name: (ref) => references.getName(ref),
    async file(id) {
      const file = await view.getFile(id);
      if (!file || file.size > MAX_PICTURE_BYTES) return undefined;
      return { bytes: await objects.bytes(file.object), contentType: file.contentType };
    },
  };
}

/** A page to print, and its depth, which is 0 at the top. */
interface OutlineItem {
  readonly page: WithId<PageEntry>;
  readonly depth: number;
}

/** Creates the scope of a page's conditions for a visitor without claims. */
function createPrintScope(
  variables: Readonly<Record<string, VariableValue>>,
  page: Pick<PageEntry, "variables">,
): ExpressionScope {
  return { space: { vars: variables }, page: { vars: page.variables ?? {} }, visitor: { claims: { unsigned: {} } } };
}

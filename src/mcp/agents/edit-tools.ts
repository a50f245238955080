// The tools that edit pages in a change request. An edit names the version of the page that the model read. If the page has
// changed since, nothing is written, and the model gets the current text.

import * as v from "valibot";
import type { ChangeBatch, Page } from "../../generated/resources";
import { omitUndefined } from "../../utils/objects";
import type { ToolResult } from "../tools";
import { ADDITIVE, DESTRUCTIVE, defineAgentTool } from "./agent-tool";
import { type CallApi, retryOnConflict } from "./call-api";
import {
  ChangeRequestId,
  integerInput,
  MAX_PAGE_TEXT_LENGTH,
  markdownInput,
  PageId,
  PageVersion,
  SpaceId,
  textInput,
} from "./input-schemas";
import { computePageVersion, renderPage } from "./page-tools";

type BatchChange = ChangeBatch["changes"][number];

interface ChangeRequestPlace {
  readonly space: string;
  readonly changeRequest: string;
}

/** Writes changes to a change request, if it is still at a revision. Without a revision, writes them in any case. */
async function writeChanges(
  callApi: CallApi<"changeChangeRequestContent">,
  { space, changeRequest }: ChangeRequestPlace,
  changes: BatchChange[],
  revision?: string,
) {
  const params = { spaceId: space, changeRequestId: changeRequest };
  const { value } = await callApi(
    "changeChangeRequestContent",
    { params, query: { compat: "false" }, body: { changes } },
    revision === undefined ? undefined : `"${revision}"`,
  );
  return value as Extract<typeof value, { changes: unknown }>;
}

/**
 * Writes a change that is created from a page, if the page still has the version that the model read. The revision is read
 * before the page. If another writer is faster after that, the write fails, and both are read again.
 */
async function writePageChange(
  callApi: CallApi<"changeChangeRequestContent" | "getChangeRequest" | "getChangeRequestPage">,
  { page: pageId, version, ...place }: ChangeRequestPlace & { page: string; version: string },
  createChange: (page: Page) => BatchChange | ToolResult,
): Promise<{ readonly page: Page } | ToolResult> {
  return retryOnConflict(async () => {
    const params = { spaceId: place.space, changeRequestId: place.changeRequest };
    const { revision } = (await callApi("getChangeRequest", { params })).value;
    const pageParams = { ...params, pageId };
    const query = { metadata: "false" } as const;
    const page = (await callApi("getChangeRequestPage", { params: pageParams, query })).value;

    if (computePageVersion(page) !== version) {
      const current = renderPage(page, place);
      const text = [
        "Nothing was written: the page has changed since you read it, or `version` is not from `read_page` with this change",
        "request. The page as it is now follows, with its version. Look at what is different, fit your edit to it, and call",
        `the tool again with the new version.\n\n${current.text}`,
      ].join(" ");
      return { text, structured: { refused: "stale", page: current.structured }, isError: true };
    }
    const change = createChange(page);
    if ("text" in change) return change;
    await writeChanges(callApi, place, [change], revision);
    return { page };
  });
}

const PageEdit = v.strictObject({
  find: markdownInput("Text of the page, exactly as `read_page` gave it. It must occur once."),
  replace: markdownInput("What stands there instead. An empty text takes it away."),
  all: v.optional(
    v.pipe(v.boolean("Expected true or false"), v.description("Whether every occurrence is replaced. Default: false.")),
  ),
});

export const editPageTool = defineAgentTool("edit_page", {
  title: "Edit a page",
  description: [
    "Changes a page in a change request. First `read_page` with the same `changeRequest`, and pass its `version`.",
    "Use `edits` to replace pieces of the text: each has `find`, copied exactly and long enough to occur once, and",
    "`replace`. Use `markdown` only to write the whole text anew, with its front matter and title.",
    "`title` and `description` change those alone. All or nothing is written.",
    "Keep what you were not asked to change, and keep blocks such as `{% hint %}` whole.",
    "If the page has changed since you read it, nothing is written and you get the text as it is: fit your edit to",
    "it and try again. Returns the new version for the next edit.",
  ].join(" "),
  input: v.strictObject({
    space: SpaceId,
    changeRequest: ChangeRequestId,
    page: PageId,
    version: PageVersion,
    edits: v.optional(
      v.pipe(
        v.array(PageEdit, "Expected a list"),
        v.minLength(1, "At least 1"),
        v.maxLength(50, "At most 50"),
        v.description("Replacements, in order, each in what the one before left."),
      ),
    ),
    markdown: v.optional(markdownInput("The whole new text, in place of `edits`.")),
    title: v.optional(textInput("The new title.", 255)),
    description: v.optional(markdownInput("The new description: one or two sentences. An empty text takes it away.")),
  }),
  annotations: { ...DESTRUCTIVE, idempotentHint: false },
  async call({ edits, markdown, title, description, ...place }, callApi) {
    if (edits && markdown !== undefined) return { text: "Pass either `edits` or `markdown`.", isError: true };
    const hasText = edits !== undefined || markdown !== undefined;
    if (!hasText && title === undefined && description === undefined)
      return { text: "Nothing to change: pass `edits`, `markdown`, `title` or `description`.", isError: true };

    const outcome = await writePageChange(callApi, place, (page) => {
      let text = edits ? (page.markdown ?? "") : markdown;
      for (const [i, { find, replace, all }] of (edits ?? []).entries()) {
        const edited: string = text!;
        const position = find === "" ? -1 : edited.indexOf(find);
        if (position < 0) {
          const advice = "Copy it exactly from `read_page`, with line breaks and signs.";
          return {
            text: `Nothing was written: \`edits[${i}].find\` does not stand in the page. ${advice}`,
            isError: true,
          };
        }
        if (!all && edited.indexOf(find, position + 1) >= 0) {
          const advice = "Make it longer until it occurs once, or pass `all: true`.";
          return {
            text: `Nothing was written: \`edits[${i}].find\` stands in the page more than once. ${advice}`,
            isError: true,
          };
        }

        // The length is checked before the text is built, because edits that repeat each other's text could exhaust the memory.
        let length = edited.length;
        for (let at = position; at >= 0; at = edited.indexOf(find, at + find.length))
          length += replace.length - find.length;
        if (length > MAX_PAGE_TEXT_LENGTH) {
          const limit = `makes the page longer than ${MAX_PAGE_TEXT_LENGTH} characters`;
          return {
            text: `Nothing was written: \`edits[${i}]\` ${limit}. Replace less, or split the page.`,
            isError: true,
          };
        }
        text = edited.split(find).join(replace);
      }
      return {
        operation: "update_page",
        page: place.page,
        ...omitUndefined({
          document: text === undefined ? undefined : { markdown: text },
          title,
          description: description === undefined ? undefined : description || null,
        }),
      };
    });
    if ("text" in outcome) return outcome;

    const params = { spaceId: place.space, changeRequestId: place.changeRequest, pageId: place.page };
    const { value: page } = await callApi("getChangeRequestPage", { params, query: { metadata: "false" } });
    const version = computePageVersion(page);
    return {
      text: `Written. Page \`${page.id}\` (${page.title}) has the version \`${version}\` now.`,
      structured: { page: page.id, title: page.title, path: page.path, version },
    };
  },
});

const ParentPageId = textInput("The id of the page that it stands below. Default: none, it stands at the top.");
const PagePosition = integerInput("Its place among the pages there, from 0. Default: at the end.", 0, 100_000);

export const createPageTool = defineAgentTool("create_page", {
  title: "Create a page",
  description: [
    "Adds a page to a change request.",
    "Use `list_pages` first, to see where it belongs and that nothing like it is there. Returns the id of the page.",
  ].join(" "),
  input: v.strictObject({
    space: SpaceId,
    changeRequest: ChangeRequestId,
    title: textInput("The title. A title after `# ` at the beginning of `markdown` wins over it.", 255),
    markdown: markdownInput(
      "The text, in Markdown. Headings inside begin with `## `. Links to other pages are their paths.",
    ),
    description: v.optional(textInput("One or two sentences about the page.", 1000)),
    parent: v.optional(ParentPageId),
    position: v.optional(PagePosition),
  }),
  annotations: ADDITIVE,
  async call({ space, changeRequest, title, markdown, description, parent, position }, callApi) {
    const change: BatchChange = {
      operation: "insert_page",
      title,
      document: { markdown },
      ...omitUndefined({ description, into: parent, at: position }),
    };
    const [result] = (await writeChanges(callApi, { space, changeRequest }, [change])).changes;
    const page = (result as Extract<typeof result, { object: "created_page" }>).page.id;
    return { text: `Created: page \`${page}\`. Read it with \`read_page\` before you edit it.`, structured: { page } };
  },
});

export const movePageTool = defineAgentTool("move_page", {
  title: "Move a page",
  description:
    "Moves a page in a change request, with the pages below it. Links to it stay whole. A page cannot be moved below itself.",
  input: v.strictObject({
    space: SpaceId,
    changeRequest: ChangeRequestId,
    page: PageId,
    parent: v.optional(ParentPageId),
    position: v.optional(PagePosition),
  }),
  annotations: { ...DESTRUCTIVE, destructiveHint: false },
  async call({ space, changeRequest, page, parent, position }, callApi) {
    const change: BatchChange = {
      operation: "move_page",
      page,
      into: parent ?? null,
      ...omitUndefined({ at: position }),
    };
    await writeChanges(callApi, { space, changeRequest }, [change]);
    return { text: "Moved. `list_pages` with this change request shows the tree.", structured: { page } };
  },
});

export const deletePageTool = defineAgentTool("delete_page", {
  title: "Delete a page",
  description: [
    "Deletes a page in a change request, with all pages below it.",
    "First `read_page` with the same `changeRequest`, and pass its `version`: if the page has changed since,",
    "nothing is deleted. Readers still see it until the change request is merged.",
    "Prefer an edit, unless you were asked to take the page away.",
  ].join(" "),
  input: v.strictObject({
    space: SpaceId,
    changeRequest: ChangeRequestId,
    page: PageId,
    version: PageVersion,
  }),
  annotations: DESTRUCTIVE,
  async call(place, callApi) {
    const outcome = await writePageChange(callApi, place, () => ({ operation: "delete_page", page: place.page }));
    if ("text" in outcome) return outcome;
    return { text: `Deleted in this change request: ${outcome.page.title}.`, structured: { page: place.page } };
  },
});

// Edits of pages in a change request. A page is edited against the version that was read: when it says something else by
// now, nothing is written, and the model gets the text as it is.

import * as v from "valibot";
import type { ChangeBatch, Page } from "../../generated/resources";
import { omitUndefined } from "../../utils/objects";
import type { ToolResult } from "../tools";
import type { Ask } from "./ask";
import { shownPage, versionOf } from "./pages";
import * as take from "./shapes";
import { ADDS, agentTool, CHANGES } from "./tool";
import { untilCurrent } from "./until-current";

type Change = ChangeBatch["changes"][number];
type Editing = Ask<"changeChangeRequestContent" | "getChangeRequest" | "getChangeRequestPage">;

interface Place {
  readonly space: string;
  readonly changeRequest: string;
}

const paramsOf = ({ space, changeRequest }: Place) => ({ spaceId: space, changeRequestId: changeRequest });

/** Writes changes, if the change request is still at a revision; without one, in any case. */
async function write(ask: Ask<"changeChangeRequestContent">, place: Place, changes: Change[], revision?: string) {
  const { value } = await ask(
    "changeChangeRequestContent",
    { params: paramsOf(place), query: { compat: "false" }, body: { changes } },
    revision === undefined ? undefined : `"${revision}"`,
  );
  return value as Extract<typeof value, { changes: unknown }>;
}

/** A refusal with words for a model. */
function refused(text: string, structured?: object): ToolResult {
  return { text, ...omitUndefined({ structured }), isError: true };
}

/**
 * Writes what follows from a page, if the page is the one that was read. The revision is read before the page: if anybody
 * writes after that, the write comes too late, and both are read again.
 */
async function writeAgainst(
  ask: Editing,
  { page: pageId, version, ...place }: Place & { page: string; version: string },
  changesOf: (page: Page) => Change | ToolResult,
): Promise<{ readonly page: Page } | ToolResult> {
  return untilCurrent(async () => {
    const params = paramsOf(place);
    const { revision } = (await ask("getChangeRequest", { params })).value;
    const { value: page } = await ask("getChangeRequestPage", {
      params: { ...params, pageId },
      query: { metadata: "false" },
    });
    if (versionOf(page) !== version) return stale(page, place);
    const change = changesOf(page);
    if ("text" in change) return change;
    await write(ask, place, [change], revision);
    return { page };
  });
}

/** The refusal of an edit that does not know what the page says now. */
function stale(page: Page, place: Place): ToolResult {
  const shown = shownPage(page, place);
  return refused(
    `Nothing was written: the page has changed since you read it, or \`version\` is not from \`read_page\` with this change request. The page as it is now follows, with its version. Look at what is different, fit your edit to it, and call the tool again with the new version.\n\n${shown.text}`,
    { refused: "stale", page: shown.structured },
  );
}

const Edit = v.strictObject({
  find: take.Markdown("Text of the page, exactly as `read_page` gave it. It must occur once."),
  replace: take.Markdown("What stands there instead. An empty text takes it away."),
  all: v.optional(
    v.pipe(v.boolean("Expected true or false"), v.description("Whether every occurrence is replaced. Default: false.")),
  ),
});

export const editPage = agentTool("edit_page", {
  title: "Edit a page",
  description:
    "Changes a page in a change request. First `read_page` with the same `changeRequest`, and pass its `version`. Use `edits` to replace pieces of the text: each has `find`, copied exactly and long enough to occur once, and `replace`. Use `markdown` only to write the whole text anew, with its front matter and title. `title` and `description` change those alone. All or nothing is written. Keep what you were not asked to change, and keep blocks such as `{% hint %}` whole. If the page has changed since you read it, nothing is written and you get the text as it is: fit your edit to it and try again. Returns the new version for the next edit.",
  input: v.strictObject({
    space: take.Space,
    changeRequest: take.ChangeRequest,
    page: take.Page,
    version: take.Version,
    edits: v.optional(
      v.pipe(
        v.array(Edit, "Expected a list"),
        v.minLength(1, "At least 1"),
        v.maxLength(50, "At most 50"),
        v.description("Replacements, in order, each in what the one before left."),
      ),
    ),
    markdown: v.optional(take.Markdown("The whole new text, in place of `edits`.")),
    title: v.optional(take.words("The new title.", 255)),
    description: v.optional(take.Markdown("The new description: one or two sentences. An empty text takes it away.")),
  }),
  annotations: { ...CHANGES, idempotentHint: false },
  async call({ edits, markdown, title, description, ...place }, ask) {
    if (edits && markdown !== undefined) return refused("Pass either `edits` or `markdown`.");
    const hasText = edits !== undefined || markdown !== undefined;
    if (!hasText && title === undefined && description === undefined)
      return refused("Nothing to change: pass `edits`, `markdown`, `title` or `description`.");
    const outcome = await writeAgainst(ask, place, (page) => {
      const text = edits ? applyEdits(page.markdown ?? "", edits) : markdown;
      if (typeof text === "object") return text;
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
    const params = { ...paramsOf(place), pageId: place.page };
    const { value: page } = await ask("getChangeRequestPage", { params, query: { metadata: "false" } });
    const version = versionOf(page);
    return {
      text: `Written. Page \`${page.id}\` (${page.title}) has the version \`${version}\` now.`,
      structured: { page: page.id, title: page.title, path: page.path, version },
    };
  },
});

/** Returns a text with pieces replaced, or a refusal. The length of a result is known before the result is built. */
function applyEdits(text: string, edits: readonly v.InferOutput<typeof Edit>[]): string | ToolResult {
  let result = text;
  for (const [i, { find, replace, all }] of edits.entries()) {
    const at = find === "" ? -1 : result.indexOf(find);
    if (at < 0)
      return refused(
        `Nothing was written: \`edits[${i}].find\` does not stand in the page. Copy it exactly from \`read_page\`, with line breaks and signs.`,
      );
    if (!all && result.indexOf(find, at + 1) >= 0)
      return refused(
        `Nothing was written: \`edits[${i}].find\` stands in the page more than once. Make it longer until it occurs once, or pass \`all: true\`.`,
      );
    if (result.length + countOccurrences(result, find) * (replace.length - find.length) > take.MAX_TEXT)
      return refused(
        `Nothing was written: \`edits[${i}]\` makes the page longer than ${take.MAX_TEXT} characters. Replace less, or split the page.`,
      );
    result = result.split(find).join(replace);
  }
  return result;
}

function countOccurrences(text: string, piece: string): number {
  let count = 0;
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) count++;
  return count;
}

const Parent = take.words("The id of the page that it stands below. Default: none, it stands at the top.");
const At = take.whole("Its place among the pages there, from 0. Default: at the end.", 0, 100_000);

export const createPage = agentTool("create_page", {
  title: "Create a page",
  description:
    "Adds a page to a change request. Use `list_pages` first, to see where it belongs and that nothing like it is there. Returns the id of the page.",
  input: v.strictObject({
    space: take.Space,
    changeRequest: take.ChangeRequest,
    title: take.words("The title. A title after `# ` at the beginning of `markdown` wins over it.", 255),
    markdown: take.Markdown(
      "The text, in Markdown. Headings inside begin with `## `. Links to other pages are their paths.",
    ),
    description: v.optional(take.words("One or two sentences about the page.", 1000)),
    parent: v.optional(Parent),
    position: v.optional(At),
  }),
  annotations: ADDS,
  async call({ space, changeRequest, title, markdown, description, parent, position }, ask) {
    const change: Change = {
      operation: "insert_page",
      title,
      document: { markdown },
      ...omitUndefined({ description, into: parent, at: position }),
    };
    const [made] = (await write(ask, { space, changeRequest }, [change])).changes;
    const page = (made as Extract<typeof made, { object: "created_page" }>).page.id;
    return { text: `Created: page \`${page}\`. Read it with \`read_page\` before you edit it.`, structured: { page } };
  },
});

export const movePage = agentTool("move_page", {
  title: "Move a page",
  description:
    "Moves a page in a change request, with the pages below it. Links to it stay whole. A page cannot be moved below itself.",
  input: v.strictObject({
    space: take.Space,
    changeRequest: take.ChangeRequest,
    page: take.Page,
    parent: v.optional(Parent),
    position: v.optional(At),
  }),
  annotations: { ...CHANGES, destructiveHint: false },
  async call({ space, changeRequest, page, parent, position }, ask) {
    const at = position === undefined ? {} : { at: position };
    await write(ask, { space, changeRequest }, [{ operation: "move_page", page, into: parent ?? null, ...at }]);
    return { text: "Moved. `list_pages` with this change request shows the tree.", structured: { page } };
  },
});

export const deletePage = agentTool("delete_page", {
  title: "Delete a page",
  description:
    "Deletes a page in a change request, with all pages below it. First `read_page` with the same `changeRequest`, and pass its `version`: if the page has changed since, nothing is deleted. Readers still see it until the change request is merged. Prefer an edit, unless you were asked to take the page away.",
  input: v.strictObject({
    space: take.Space,
    changeRequest: take.ChangeRequest,
    page: take.Page,
    version: take.Version,
  }),
  annotations: CHANGES,
  async call(place, ask) {
    const outcome = await writeAgainst(ask, place, () => ({ operation: "delete_page", page: place.page }));
    if ("text" in outcome) return outcome;
    return { text: `Deleted in this change request: ${outcome.page.title}.`, structured: { page: place.page } };
  },
});

// The changes that bring the pages of a space back to an earlier state, applied to a space.

import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { buildUndoChanges, listDeletedPages } from "../../src/console/app/history/build-undo-changes";

test("undo reverts edits, moves, deletions and creations in one batch", async () => {
  const secret = "the secret of the history, long enough";
  const api = createDocsApi(memoryStorage(), { origin: "http://localhost:3000", secret });
  const { user, organization } = await api.provision({
    user: { displayName: "Ada", email: "ada@example.com" },
    organization: { title: "Letters" },
  });
  const me = { user };
  const params = { organizationId: organization! };
  const { id: spaceId } = await api.call("createSpace", { params, body: { title: "Book" } }, me);
  const change = (changes: object[]) =>
    api.call("changeContent", { params: { spaceId }, body: { changes } as never }, me);
  const insert = (title: string, more: object = {}) => ({
    operation: "insert_page",
    title,
    document: { markdown: `${title}, first.\n` },
    ...more,
  });
  const revisionOf = (revisionId: string) =>
    api.call("getRevision", { params: { spaceId, revisionId }, query: { metadata: "false" } }, me);

  const first = await change([
    insert("A", { ref: "a" }),
    insert("B", { into: "a" }),
    insert("C"),
    insert("D", { into: "a" }),
    { operation: "set_variables", variables: { kept: "1", changed: "old" } },
  ]);
  const earlier = await revisionOf(first.revision);
  const [a, c] = earlier.pages;
  const [b] = a!.pages;
  const steps = [
    [{ operation: "update_page", page: c!.id, document: { markdown: "C, second.\n" }, title: "C2" }],
    [{ operation: "move_page", page: c!.id, into: null, at: 0 }, insert("New", { into: c!.id })],
    [
      { operation: "delete_page", page: b!.id },
      { operation: "set_variables", variables: { changed: "new", made: "x" } },
    ],
  ];
  const later = [];
  for (const step of steps) later.push(await change(step));
  const now = await revisionOf(later.at(-1)!.revision);
  const told = await Promise.all(
    later.map(({ revision }) => api.call("listRevisionChanges", { params: { spaceId, revisionId: revision } }, me)),
  );
  expect(listDeletedPages({ before: earlier.pages, now: now.pages })).toEqual([b!.id]);
  const plan = buildUndoChanges({
    revision: first.revision,
    before: earlier.pages,
    now: now.pages,
    changes: told.flatMap(({ changes }) => changes),
    texts: new Map([[b!.id, "B, first.\n"]]),
    variables: earlier.variables,
  });
  const { revision } = await change(plan);
  const back = await revisionOf(revision);
  const shape = (pages: typeof back.pages): unknown => pages.map((it) => [it.title, it.path, shape(it.pages)]);
  expect(shape(back.pages)).toEqual(shape(earlier.pages));
  expect(back.variables).toEqual(earlier.variables);
  const read = async (pageId: string) => (await api.call("getPage", { params: { spaceId, pageId } }, me)).markdown;
  expect(await read(c!.id)).toBe("C, first.\n");
  expect(await read(back.pages[0]!.pages[0]!.id)).toBe("B, first.\n");
  const same = { revision, before: back.pages, now: back.pages, changes: [], texts: new Map(), variables: {} };
  expect(buildUndoChanges(same)).toEqual([]);
  await api.close();
});

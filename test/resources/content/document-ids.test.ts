import { expect, test } from "vitest";
import { createDocumentId, findDocumentSource } from "../../../src/resources/content/revisions/views";

const page = { id: "pag_bj8mvm578f061a8bq7ng7d41fjd7", body: "56".repeat(32) };

test("the id of a document identifies its page", () => {
  expect(findDocumentSource(createDocumentId(page))).toBe(page.id);
});

test("the id of a document is short enough for a path", () => {
  expect(createDocumentId(page)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
});

test("equal texts of a page have the same document id, and another text or page has a different one", () => {
  expect(createDocumentId({ ...page })).toBe(createDocumentId(page));
  expect(createDocumentId({ ...page, body: "57".repeat(32) })).not.toBe(createDocumentId(page));
  expect(createDocumentId({ ...page, id: "pag_bj8mvm578f061a8bq7ng7d41fjd8" })).not.toBe(createDocumentId(page));
});

test("an invalid document id identifies no page", () => {
  for (const id of ["", "doc_", page.id, `${createDocumentId(page)}0`, "doc_../../x_565656565656565656565656"])
    expect(findDocumentSource(id)).toBeUndefined();
});

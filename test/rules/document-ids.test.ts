import { expect, test } from "vitest";
import { createDocumentId, findDocumentSource } from "../../src/resources/content/revisions/document-ids";

const page = { id: "pag_bj8mvm578f061a8bq7ng7d41fjd7", body: "56".repeat(32) };

test("an id of a document leads back to its page", () => {
  expect(findDocumentSource(createDocumentId(page))).toBe(page.id);
});

test("an id of a document is as short as an id in a path may be", () => {
  expect(createDocumentId(page)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
});

test("equal texts of a page have equal ids, and another text or another page has another one", () => {
  expect(createDocumentId({ ...page })).toBe(createDocumentId(page));
  expect(createDocumentId({ ...page, body: "57".repeat(32) })).not.toBe(createDocumentId(page));
  expect(createDocumentId({ ...page, id: "pag_bj8mvm578f061a8bq7ng7d41fjd8" })).not.toBe(createDocumentId(page));
});

test("what is no id of a document leads to no page", () => {
  for (const id of ["", "doc_", page.id, `${createDocumentId(page)}0`, "doc_../../x_565656565656565656565656"])
    expect(findDocumentSource(id)).toBeUndefined();
});

// Calls of somebody who installed the package: right ones compile, and for each wrong one the compiler must complain. None
// of them is run.

import type { DocsApi, OperationInput, OperationOutput, Operations, Resources } from "octavo";

export async function calls({ call }: DocsApi, as: { readonly user: string }): Promise<void> {
  const space: Resources.Space = await call("getSpace", { params: { spaceId: "spc_1" } }, as);
  const emoji: string | undefined = space.emoji;
  const { items, count, next } = await call("listSpaces", { params: { organizationId: "org_1" } }, as);
  const titles: string[] = items.map((item) => item.title);
  await call("listSpaces", { params: { organizationId: "org_1" }, query: { limit: 10, ...next } }, as);
  const made: OperationOutput<"createTeam"> = await call(
    "createTeam",
    { params: { organizationId: "org_1" }, body: { title: "Writers" } },
    as,
  );
  const body: Operations["changeContent"]["body"] = {
    changes: [{ operation: "insert_page", title: made.title, document: { markdown: "# Hello" } }],
  };
  await call("changeContent", { params: { spaceId: space.id }, body }, as);
  const nothing: undefined = await call("revokeToken", { params: { tokenId: "tok_1" } }, as);
  await call("getCurrentUser", {}, as);
  const input: OperationInput<"updateSpace"> = { params: { spaceId: space.id } };
  await call("updateSpace", input, as);
  console.log(emoji, count, titles, nothing);

  // @ts-expect-error: there is no such operation.
  await call("getSpaces", {}, as);
  // @ts-expect-error: an id is missing.
  await call("getSpace", { params: {} }, as);
  // @ts-expect-error: all ids are missing.
  await call("getSpace", {}, as);
  // @ts-expect-error: the operation has no such id.
  await call("getSpace", { params: { spaceId: "spc_1", pageId: "pag_1" } }, as);
  // @ts-expect-error: the operation has another id.
  await call("getSpace", { params: { space: "spc_1" } }, as);
  // @ts-expect-error: the operation takes no body.
  await call("getSpace", { params: { spaceId: "spc_1" }, body: {} }, as);
  // @ts-expect-error: a body is needed.
  await call("createTeam", { params: { organizationId: "org_1" } }, as);
  // @ts-expect-error: the title is a text.
  await call("createTeam", { params: { organizationId: "org_1" }, body: { title: 1 } }, as);
  // @ts-expect-error: the body has no such member.
  await call("createTeam", { params: { organizationId: "org_1" }, body: { title: "Writers", color: "red" } }, as);
  // @ts-expect-error: it is one of a few words.
  await call("updateMember", { params: { organizationId: "org_1", userId: "usr_1" }, body: { role: "owner" } }, as);
  // @ts-expect-error: the query has no such member.
  await call("listSpaces", { params: { organizationId: "org_1" }, query: { colour: "red" } }, as);
  // @ts-expect-error: a change names what it does.
  await call("changeContent", { params: { spaceId: "spc_1" }, body: { changes: [{ title: "Hello" }] } }, as);
  // @ts-expect-error: a text is no document.
  await call("postCommentOnSpace", { params: { spaceId: "spc_1" }, body: { body: { document: "Hello" } } }, as);
  // @ts-expect-error: somebody must be asking.
  await call("getCurrentUser", {});
  // @ts-expect-error: a space has no such member.
  console.log((await call("getSpace", { params: { spaceId: "spc_1" } }, as)).colour);
}

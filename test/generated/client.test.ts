// The client is typed as strictly as `api.call`: for each wrong call the compiler must complain. None of them is run.

import type { CallError, Client, Resources } from "octavo/client";
import { expectTypeOf, test } from "vitest";

test("the compiler knows the input and output of client calls", () => {
  void calls;
});

async function calls(docs: Client) {
  const params = { organizationId: "org_1" };
  const listed = await docs.call("listTeams", { params, query: { limit: 10 } });
  if (listed.ok) expectTypeOf(listed.value.items).toEqualTypeOf<readonly Resources.Team[]>();
  else expectTypeOf(listed.error).toEqualTypeOf<CallError>();
  const { ok, value, error, status } = listed;
  if (ok) expectTypeOf(value.count).toEqualTypeOf<number>();
  if (!ok) expectTypeOf(error.reason).extract<"network">().toEqualTypeOf<"network">();
  expectTypeOf(status).toEqualTypeOf<number | undefined>();

  for await (const team of docs.each("listTeams", { params })) expectTypeOf(team).toEqualTypeOf<Resources.Team>();
  for await (const token of docs.each("listTokens")) expectTypeOf(token).toEqualTypeOf<Resources.Token>();

  expectTypeOf((await docs.call("getCurrentUser")).value).toEqualTypeOf<Resources.User | undefined>();
  expectTypeOf((await docs.call("downloadPdf", { params: { pdf: "x" } })).value).toEqualTypeOf<Response | undefined>();
  expectTypeOf((await docs.call("revokeToken", { params: { tokenId: "tok_1" } })).value).toEqualTypeOf<undefined>();

  const space = { params: { spaceId: "spc_1" } };
  const plain = await docs.call("getSpace", space, { signal: new AbortController().signal });
  if (plain.ok) expectTypeOf(plain.value).toEqualTypeOf<Resources.Space>();
  const known = await docs.call("getSpace", space, { etag: '"1"' });
  if (known.ok) expectTypeOf(known.value).toEqualTypeOf<Resources.Space | undefined>();
  if (known.ok && known.status !== 304) expectTypeOf(known.value).toEqualTypeOf<Resources.Space>();

  await docs.call("listSites", { params, query: { published: true } });
  await docs.call("listSites", { params, query: { published: "true" } });
  await docs.call("searchSpace", { ...space, query: { query: "a" } });

  // @ts-expect-error: there is no such operation.
  await docs.call("getSpaces", {});
  // @ts-expect-error: all ids are missing.
  await docs.call("getSpace");
  // @ts-expect-error: an id is missing.
  await docs.call("getSpace", { params: {} });
  // @ts-expect-error: the operation has no such id.
  await docs.call("getSpace", { params: { spaceId: "spc_1", pageId: "pag_1" } });
  // @ts-expect-error: the operation takes no body.
  await docs.call("getSpace", { params: { spaceId: "spc_1" }, body: {} });
  // @ts-expect-error: a body is needed.
  await docs.call("createTeam", { params });
  // @ts-expect-error: the title is a text.
  await docs.call("createTeam", { params, body: { title: 1 } });
  // @ts-expect-error: the body has no such member.
  await docs.call("createTeam", { params, body: { title: "Writers", color: "red" } });
  // @ts-expect-error: the query has no such member.
  await docs.call("listSpaces", { params, query: { colour: "red" } });
  // @ts-expect-error: a query is needed.
  await docs.call("searchSpace", space);
  // @ts-expect-error: it is one of a few words.
  await docs.call("listSites", { params, query: { published: "yes" } });
  // @ts-expect-error: it is no list.
  docs.each("getSpace", space);
  // @ts-expect-error: all ids are missing.
  docs.each("listTeams");
  // @ts-expect-error: there is no such option.
  await docs.call("getSpace", space, { retry: 1 });
  // @ts-expect-error: a failure has no value.
  if (!plain.ok) console.log(plain.value.id);
  // @ts-expect-error: a page of a list has no single version.
  docs.each("listTokens", {}, { etag: '"1"' });
}

// A mistake in `call`, made in plain JavaScript, is a DocsError that names the field.

import { DocsError } from "octavo";
import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { setUp } from "../support/setting";

const setting = await setUp(memoryStorage());
const { api, org, ids } = setting;
const call = api.call as unknown as (...given: unknown[]) => Promise<unknown>;
const as = { user: ids.admin };
const params = { organizationId: org };

test.each<[string, readonly unknown[], number, string, string | RegExp]>([
  [
    "an operation that is not there",
    ["listTeam", { params }, as],
    404,
    "name",
    /no operation `listTeam`\. Did you mean `listTeams`\?/,
  ],
  ["an operation like nothing", ["x".repeat(30), {}, as], 404, "name", /no operation `x+`\.$/],
  ["no operation", [undefined, {}, as], 404, "name", "There is no operation `undefined`."],
  ["a name of every object", ["constructor", {}, as], 404, "name", "There is no operation `constructor`."],
  ["no input", ["listTeams", undefined, as], 400, "params.organizationId", "This field is required."],
  ["no params", ["listTeams", {}, as], 400, "params.organizationId", "This field is required."],
  ["params at the top", ["listTeams", params, as], 400, "organizationId", "Unknown field."],
  ["a misspelt part", ["listTeams", { param: params }, as], 400, "param", "Unknown field. Did you mean `params`?"],
  [
    "a misspelt param",
    ["listTeams", { params: { organisationId: org } }, as],
    400,
    "params.organisationId",
    /Did you mean `organizationId`/,
  ],
  [
    "a param too many",
    ["listTeams", { params: { ...params, teamId: "a" } }, as],
    400,
    "params.teamId",
    "Unknown field.",
  ],
  [
    "a param that is a number",
    ["listTeams", { params: { organizationId: 1 } }, as],
    400,
    "params.organizationId",
    "Expected text",
  ],
  [
    "a param that is null",
    ["listTeams", { params: { organizationId: null } }, as],
    400,
    "params.organizationId",
    "Expected text",
  ],
  ["params in a list", ["listTeams", { params: [org] }, as], 400, "params", "Expected an object"],
  ["input that is text", ["listTeams", org, as], 400, "input", "Expected an object"],
  ["a query that is text", ["listTeams", { params, query: "a" }, as], 400, "query", "Expected an object"],
  ["a limit that is text", ["listTeams", { params, query: { limit: "many" } }, as], 400, "query.limit", /./],
  ["no body", ["createTeam", { params }, as], 400, "body.title", "This field is required."],
  ["a body that is text", ["createTeam", { params, body: "Writers" }, as], 400, "body", /./],
  ["a body of a wrong type", ["createTeam", { params, body: { title: 1 } }, as], 400, "body.title", "Expected text"],
  ["nobody", ["listTeams", { params }], 400, "as.user", "This field is required: a user ID"],
  ["a user in place of an object", ["listTeams", { params }, ids.admin], 400, "as", "Expected an object"],
  ["a user that is a number", ["listTeams", { params }, { user: 1 }], 400, "as.user", "Expected a user ID"],
  [
    "a misspelt user",
    ["listTeams", { params }, { usr: ids.admin }],
    400,
    "as.usr",
    "Unknown field. Did you mean `user`?",
  ],
  [
    "a user that does not exist",
    ["listTeams", { params }, { user: "nobody" }],
    404,
    "as.user",
    /There is no such user/,
  ],
  [
    "a user that could not exist",
    ["listTeams", { params }, { user: "\0".repeat(2000) }],
    404,
    "as.user",
    /There is no such user/,
  ],
])("%s", async (_, given, status, path, message) => {
  const error = await call(...given).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DocsError);
  expect(error).toMatchObject({ status, issues: [{ path, message: expect.stringMatching(message) }] });
});

test("call rejects an operation that needs the HTTP request when no request is passed", async () => {
  const given = { params: { integrationName: "bot", path: "a" } };
  await expect(call("fetchFromIntegration", given, as)).rejects.toBeInstanceOf(DocsError);
});

test("call needs no params for an operation without path parameters", async () => {
  expect(await api.call("getCurrentUser", {}, as)).toMatchObject({ id: ids.admin });
});

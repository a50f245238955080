// What the client sends is what the API reads: every operation is found again, with its parameters.

import { describe, expect, test } from "vitest";
import { CallError } from "../../src/client/call-error";
import { buildPath } from "../../src/client/path";
import { findRoute } from "../../src/client/route";
import { createRouter } from "../../src/http/router";
import { allOperations } from "../../src/operations";
import { VersionedCache } from "../../src/utils/versioned-cache";

const table = allOperations();
const router = createRouter(table, "/base", new VersionedCache(500));
const read = async (name: string, input: Parameters<typeof buildPath>[1]) => {
  const route = findRoute(name);
  return router.find(route.method, `/base/v1${buildPath(route, input)}`);
};

describe("path parameters", () => {
  const texts = ["plain", "ü/?#&%", "a b+c", "%2e%2e", "....", "日本", "'()*!~"];

  test.each(table.map((named) => [named.name, named.definition] as const))(
    "%s round-trips as a path parameter",
    async (name, operation) => {
      for (const text of texts) {
        const params = Object.fromEntries(operation.params.map((param, i) => [param, `${text}${i}`]));
        const found = await read(name, { params });
        expect(found.operation.name).toBe(name);
        expect(found.params).toEqual(params);
      }
    },
  );

  test("the slashes of a path stay, and the segments between them are encoded", () => {
    const params = { spaceId: "spc_1", pagePath: "a/b c/d?" };
    expect(buildPath(findRoute("getPageByPath"), { params })).toBe("/spaces/spc_1/content/path/a/b%20c/d%3F");
  });

  test.each([
    ["getSpace", {}, "params.spaceId"],
    ["getSpace", { spaceId: "" }, "params.spaceId"],
    ["getSpace", { spaceId: ".." }, "params.spaceId"],
    ["getSpace", { spaceId: "." }, "params.spaceId"],
    ["getSpace", { spaceId: { id: 1 } }, "params.spaceId"],
    ["getPageByPath", { spaceId: "s", pagePath: "a/../../../../user" }, "params.pagePath"],
  ])("buildPath rejects %s with %j before a request is sent", (name, params, path) => {
    const error = thrownBy(() => buildPath(findRoute(name), { params }));
    expect(error).toMatchObject({ reason: "invalid_request", issues: [{ path, message: expect.any(String) }] });
  });

  test.each(["getSpaces", "toString", "__proto__"])("findRoute rejects an operation %s", (name) => {
    expect(thrownBy(() => findRoute(name)).issues[0]?.path).toBe("operation");
  });
});

describe("query parameters", () => {
  const queried = async (name: string, query: Record<string, unknown>) => {
    const params = Object.fromEntries(table.find((it) => it.name === name)!.definition.params.map((it) => [it, "x"]));
    return { ...(await read(name, { params, query })).query };
  };

  test("query parameters are read back as they were given", async () => {
    const query = { limit: 10, title: "a&b=c d+e", owner: undefined };
    expect(await queried("listTeams", query)).toEqual({ limit: "10", title: "a&b=c d+e" });
  });

  test("booleans are sent as words, and a list repeats its name", async () => {
    expect(await queried("listSites", { published: true })).toEqual({ published: "true" });
    expect(await queried("listSpaceComments", { authors: ["a", "b"] })).toEqual({ authors: ["a", "b"] });
    expect(await queried("listSpaceComments", { authors: [] })).toEqual({});
  });
});

test("only calls that cannot have a second effect are sent again", () => {
  const repeated = (name: string) => findRoute(name).retryMode;
  expect(["getTeam", "revokeToken", "searchSite", "resolvePublishedUrl"].map(repeated)).toEqual(Array(4).fill("read"));
  expect(["createToken", "changeContent"].map(repeated)).toEqual(["keyed", "keyed"]);
  const once = ["createTeam", "updateTeam", "postToIntegration", "deleteAtIntegration", "renderComponentByPost"];
  expect(once.map(repeated)).toEqual(Array(5).fill("once"));
});

function thrownBy(run: () => unknown): CallError {
  try {
    run();
  } catch (error) {
    if (error instanceof CallError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}

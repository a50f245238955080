// The skeleton of a new operation has the operation, its example and a story, each in the file where its author goes on.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { addSkeleton, EXAMPLES, findNearest } from "../../scripts/operation/skeleton";
import { allOperations } from "../../src/operations";

const files = ["src/resources/people/teams/operations.ts", EXAMPLES, "test/resources/people/teams.ts"];
const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

test("the skeleton of an operation is a copy of the nearest one, with its example and its refusals", () => {
  const path = "/orgs/:organizationId/teams/:teamId/summary";
  const nearest = findNearest(allOperations(), "GET", path);
  expect(nearest.name).toBe("getTeam");

  const sources = new Map(files.map((file) => [file, read(file)]));
  expect(addSkeleton(sources, nearest, { method: "GET", path, name: "getTeamSummary" })).toEqual(files);
  const added = files.map((file) => {
    const before = new Set(read(file).split("\n"));
    return sources
      .get(file)!
      .split("\n")
      .filter((line) => !before.has(line));
  });
  expect(added).toEqual([
    [`export const getTeamSummary = defineOperation("GET ${path}", {`, '  summary: "Get team summary",'],
    [expect.stringMatching(/^ {4}getTeamSummary: allow\(.*\/summary`, hiddenFromGuests\),$/)],
    [
      '  defineStory("getTeamSummary", [',
      '    ask(null, "GET /v1/orgs/{org}/teams/none/summary", 401),',
      '    ask("stranger", "GET /v1/orgs/{org}/teams/none/summary", 404),',
    ],
  ]);
  const countLines = (text: string) => text.split("\n").length;
  expect(countLines(sources.get(EXAMPLES)!)).toBe(countLines(read(EXAMPLES)) + 1);
});

test("an operation may be copied from one that is not above it, and its author writes the path of the example", () => {
  const original = allOperations().find(({ name }) => name === "updateTeamMembers")!;
  const sources = new Map(files.map((file) => [file, read(file)]));
  const path = "/orgs/:organizationId/teams/:teamId/owners";
  addSkeleton(sources, original, { method: "PUT", path, name: "setTeamOwners" });
  const [row] = /^ {4}setTeamOwners: allow\(.*?^ {4}\}\),$/ms.exec(sources.get(EXAMPLES)!) ?? [];
  const [originalRow] = /^ {4}updateTeamMembers: allow\(.*?^ {4}\}\),$/ms.exec(read(EXAMPLES)) ?? [];
  expect(row).toBe(originalRow!.replace("updateTeamMembers", "setTeamOwners"));
});

test("a route that is near no operation is refused", () => {
  expect(() => findNearest(allOperations(), "PATCH", "/nowhere")).toThrow("No operation is near PATCH /nowhere.");
});

// The permission matrix: role × grant × default level × nesting × guest, compared with a second implementation of the
// rules.

import { describe, expect, test } from "vitest";
import { type Role, roles } from "../../../src/operation/common-schemas";
import { resolveRole } from "../../../src/resources/library/grants/resolve-role";

type Level = Role | null | "inherit";
const owns: (Role | null | undefined)[] = [...roles, null, undefined];
const levels: Level[] = ["inherit", null, "read", "edit", "admin"];
const grants: Role[][] = [[], ["read"], ["create"], ["comment", "review"], ["admin"]];

/** The rules once more, as a person would tell them, without looking at the code. */
function told(own: Role | null | undefined, path: { granted: Role[]; defaultLevel: Level }[]): Role | null {
  if (own === undefined) return null;
  if (own === "admin") return "admin";
  const all = path.flatMap((node) => node.granted);
  for (const role of [...roles].reverse()) if (all.includes(role)) return role;
  if (own === null) return null;
  for (const node of path) if (node.defaultLevel !== "inherit") return node.defaultLevel;
  return own;
}

describe("the role on a space", () => {
  const paths: { granted: Role[]; defaultLevel: Level }[][] = [];
  for (const granted of grants) {
    for (const defaultLevel of levels) {
      paths.push([{ granted, defaultLevel }]);
      for (const above of grants) {
        for (const levelAbove of levels)
          paths.push([
            { granted, defaultLevel },
            { granted: above, defaultLevel: levelAbove },
          ]);
      }
    }
  }

  test(`the role on a space follows the rules for ${owns.length * paths.length} combinations of grants`, () => {
    for (const own of owns)
      for (const path of paths)
        expect(resolveRole({ organizationRole: own, path }), JSON.stringify({ own, path })).toBe(told(own, path));
  });

  const rows: [string, Role | null | undefined, { granted: Role[]; defaultLevel: Level }[], Role | null][] = [
    [
      "an admin of the organization is admin whatever was given",
      "admin",
      [{ granted: ["read"], defaultLevel: null }],
      "admin",
    ],
    [
      "what was given counts instead of the default, even when it is less",
      "edit",
      [{ granted: ["read"], defaultLevel: "edit" }],
      "read",
    ],
    [
      "what was given above counts below",
      "read",
      [
        { granted: [], defaultLevel: "inherit" },
        { granted: ["create"], defaultLevel: "inherit" },
      ],
      "create",
    ],
    [
      "the highest of several grants counts",
      "read",
      [
        { granted: ["comment", "review"], defaultLevel: null },
        { granted: ["edit"], defaultLevel: null },
      ],
      "review",
    ],
    [
      "the nearest level counts",
      "read",
      [
        { granted: [], defaultLevel: "inherit" },
        { granted: [], defaultLevel: "edit" },
        { granted: [], defaultLevel: "admin" },
      ],
      "edit",
    ],
    ["a level of null shuts a thing", "create", [{ granted: [], defaultLevel: null }], null],
    [
      "a thing without a level is open as the organization is",
      "comment",
      [{ granted: [], defaultLevel: "inherit" }],
      "comment",
    ],
    ["no level is for guests", null, [{ granted: [], defaultLevel: "admin" }], null],
    ["a guest has what was given", null, [{ granted: ["edit"], defaultLevel: null }], "edit"],
    ["a stranger has nothing", undefined, [{ granted: ["admin"], defaultLevel: "admin" }], null],
  ];
  test.each(rows)("the role on a space is correct: %s", (_, own, path, role) => {
    expect(resolveRole({ organizationRole: own, path })).toBe(role);
  });
});

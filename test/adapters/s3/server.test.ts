// Tests on a real S3 server are skipped with a message on a machine that cannot run one, and never in CI.

import { expect, test } from "vitest";
import { requiredInCi } from "./server";

const leftOut = { leftOut: "Ceph could not be installed" };

test("a server that cannot be installed is skipped outside of CI", () => {
  expect(requiredInCi(leftOut, {})).toBe(leftOut);
});

test("a server that cannot be installed fails the run in CI", () => {
  expect(() => requiredInCi(leftOut, { CI: "true" })).toThrow("Ceph could not be installed");
});

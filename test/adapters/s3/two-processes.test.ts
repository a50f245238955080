// Two servers on one bucket, started as people start them, behave as one.

import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { octavo } from "../../cli/processes";
import { SECRET, twoServersAreOne } from "../../support/two-servers";
import { removeAll, s3Environment, s3Server } from "./server";

const server = await s3Server();

if ("leftOut" in server) console.log(`Two processes on one bucket were left out: ${server.leftOut}.`);
else {
  test("two processes that start at once on an empty bucket create one organization and share it", async () => {
    const prefix = `two-processes-${randomUUID()}/`;
    onTestFinished(() => removeAll(server, prefix));
    await twoServersAreOne({ ...s3Environment(server), STORAGE: "s3", S3_PREFIX: prefix });
  });

  test("a server whose bucket is missing or whose keys are wrong refuses to start with a message", async () => {
    const common = { ...s3Environment(server), STORAGE: "s3", SECRET };
    const wrong: [Record<string, string>, RegExp][] = [
      [{ S3_BUCKET: "there-is-no-such-bucket" }, /there-is-no-such-bucket/],
      [{ AWS_SECRET_ACCESS_KEY: "wrong" }, /credentials|refuse|denied|signature/i],
      [{ S3_ENDPOINT: "http://127.0.0.1:9" }, /127\.0\.0\.1:9|reach/],
    ];
    for (const [change, sentence] of wrong) {
      const failing = octavo(["serve"], { ...common, ...change, PORT: "39997" });
      expect(await failing.exited).toBe(1);
      expect(failing.output.stderr).toMatch(sentence);
      expect(failing.output.stderr).not.toMatch(/^ +at /m);
    }
  });
}

// Two servers on one bucket, started as people start them, behave as one.

import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { octavo, start } from "../cli/processes";
import { removeAll, s3Environment, s3Server } from "./server";

const server = await s3Server();

if ("leftOut" in server) console.log(`Two processes on one bucket were left out: ${server.leftOut}.`);
else {
  test("two processes on one bucket see each other's writes at once, and refuse each other's conflicts", async () => {
    const prefix = `two-processes-${randomUUID()}/`;
    onTestFinished(() => removeAll(server, prefix));
    const token = "an-operators-own-token";
    const environment = {
      ...s3Environment(server),
      STORAGE: "s3",
      S3_PREFIX: prefix,
      SECRET: "a secret of more than thirty-two characters",
      ADMIN_TOKEN: token,
    };
    const one = await start(environment);
    const other = await start(environment);
    const org = one.output.stdout.match(/org_\w+/)![0];
    expect(other.output.stdout).not.toContain("The organization's id");

    const put = (of: typeof one, title: string) =>
      of.ask(`/orgs/${org}/teams`, token, { method: "PUT", body: JSON.stringify({ title }) });
    for (let round = 0; round < 6; round++) {
      const [writer, reader] = round % 2 === 0 ? [one, other] : [other, one];
      expect((await put(writer, `Team ${round}`)).status).toBe(201);
      const list = await (await reader.ask(`/orgs/${org}/teams`, token)).json();
      expect(list.count).toBe(round + 1);
      expect((await put(reader, `TEAM ${round}`)).status).toBe(409);
    }
    const answers = await Promise.all([one, other, one, other].map((of) => put(of, "The same")));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);

    const page = await (await one.ask(`/orgs/${org}/teams?limit=4`, token)).json();
    const rest = await (await other.ask(`/orgs/${org}/teams?limit=4&page=${page.next.page}`, token)).json();
    expect([page.items.length, rest.items.length]).toEqual([4, 3]);

    one.child.kill("SIGTERM");
    expect(await one.exited).toBe(0);
    expect((await put(other, "Alone")).status).toBe(201);
  });

  test("a server whose bucket is away, or whose keys are wrong, refuses to start with a sentence", async () => {
    const common = { ...s3Environment(server), STORAGE: "s3", SECRET: "a secret of more than thirty-two characters" };
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

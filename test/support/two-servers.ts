// Two servers on one storage, started as people start them and at the same moment, behave as one.

import { expect } from "vitest";
import { start } from "../cli/processes";

export const SECRET = "a secret of more than thirty-two characters";
const TOKEN = "an-operators-own-token";

/** Starts both on an empty storage that the environment names, and lets them write. One of them is left at the end. */
export async function twoServersAreOne(environment: Record<string, string>): Promise<void> {
  const both = { ...environment, SECRET, ADMIN_TOKEN: TOKEN };
  const [one, other] = await Promise.all([start(both), start(both)]);
  const { items: organizations } = await (await one.ask("/orgs", TOKEN)).json();
  expect(organizations).toHaveLength(1);
  const org: string = organizations[0].id;
  // Each of them says what it has made or found.
  const named = [one, other].flatMap(({ output }) => output.stdout.match(/org_\w+/g) ?? []);
  expect([...new Set(named)]).toEqual([org]);

  const put = (of: typeof one, title: string) =>
    of.ask(`/orgs/${org}/teams`, TOKEN, { method: "PUT", body: JSON.stringify({ title }) });
  for (let round = 0; round < 4; round++) {
    const [writer, reader] = round % 2 === 0 ? [one, other] : [other, one];
    expect((await put(writer, `Team ${round}`)).status).toBe(201);
    const list = await (await reader.ask(`/orgs/${org}/teams`, TOKEN)).json();
    expect(list.count).toBe(round + 1);
    expect((await put(reader, `TEAM ${round}`)).status).toBe(409);
  }
  const answers = await Promise.all([one, other, one, other].map((of) => put(of, "The same")));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);

  const page = await (await one.ask(`/orgs/${org}/teams?limit=3`, TOKEN)).json();
  const rest = await (await other.ask(`/orgs/${org}/teams?limit=3&page=${page.next.page}`, TOKEN)).json();
  expect([page.items.length, rest.items.length]).toEqual([3, 2]);

  one.child.kill("SIGTERM");
  expect(await one.exited).toBe(0);
  expect((await put(other, "Alone")).status).toBe(201);
}

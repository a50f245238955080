// Signing in, in every runtime, out of the built package: somebody is invited, gets a mail, types its code and joins.

import { beforeAll, expect, test } from "vitest";
import { commands, inWorker } from "./everywhere";
import { project } from "./project";

const imports = `
  import { createDocsApi } from "octavo";
  import { memoryStorage } from "octavo/memory";
  import { createSignIn } from "octavo/sign-in";
`;

/** What a runtime does. */
const text = `
  const mails = [], behind = [], answers = [];
  const api = createDocsApi(memoryStorage(), {
    sendMail: (mail) => void mails.push(mail),
    waitUntil: (work) => void behind.push(work),
  });
  const { fetch, createSignInLink } = createSignIn(api);
  const origin = "http://localhost:3000";
  const browser = () => {
    const jar = new Map();
    return async (path, fields) => {
      const cookie = [...jar].map((pair) => pair.join("=")).join("; ");
      const type = "application/x-www-form-urlencoded";
      const sent = fields && { method: "POST", body: new URLSearchParams(fields).toString() };
      const headers = { cookie, ...(fields ? { origin, "content-type": type } : {}) };
      const answer = await fetch(new Request(new URL(path, origin), { ...sent, headers, redirect: "manual" }));
      for (const line of answer.headers.getSetCookie()) {
        const [, name, value] = line.match(/^([^=]+)=([^;]*)/);
        line.includes("Max-Age=0") ? jar.delete(name) : jar.set(name, value);
      }
      const text = await answer.text();
      await Promise.all(behind.splice(0));
      answers.push(answer.status + " " + (text.match(/<h1>(.*)<\\/h1>/)?.[1] ?? ""));
      return text;
    };
  };
  const { user, organization } = await api.provision({
    user: { displayName: "Ada", email: "ada@example.com" },
    organization: { title: "Acme" },
  });
  const ada = browser();
  await ada(await createSignInLink(user), {});
  await ada("/sign-in");
  const body = { emails: ["grace@example.com"], language: "de" };
  await api.call("inviteByEmail", { params: { organizationId: organization }, body }, { user });
  await Promise.all(behind.splice(0));
  const invite = new URL(mails[0].text.match(/http\\S+/)[0]).pathname;
  const grace = browser();
  await grace(invite);
  await grace("/sign-in/mail", { email: "grace@example.com", to: invite });
  await grace("/sign-in/code", { code: mails[1].text.match(/^\\w{4}-\\w{4}$/m)[0] });
  await grace(invite, {});
  answers.push(JSON.parse(await grace("/v1/orgs")).items.map(({ title }) => title).join(), mails[0].subject);
`;

const expected = [
  "303 ",
  "200 You’re signed in",
  "200 Join Acme",
  "303 ",
  "303 ",
  "200 You’ve joined Acme",
  "200 ",
  "Acme",
  "Einladung zu Acme",
];

let path: string;
beforeAll(async () => {
  path = await project([]);
});

test.each(Object.entries(commands))("people sign in on %s without any permissions", async (_, run) => {
  expect(await run(path, { imports, text })).toEqual(expected);
});

test("people sign in in a Worker", async () => {
  expect(await inWorker(path, { imports, text })).toEqual(expected);
});

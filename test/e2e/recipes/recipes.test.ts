// The recipes for Node's frameworks, each as a file that a person copies into a project with the built package. The larger
// ones, and all of them with the packed tarball, are run by `npm run test:recipes`.

import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "octavo/client";
import { beforeAll, describe, expect, test } from "vitest";
import { project, root, serve, withoutTypes } from "../runtimes/project";
import { walk } from "../runtimes/scenario";
import { frameworks } from "./frameworks";

const scriptOf = (file: string) => file.replace(/\.ts$/, ".js");

let path: string;
beforeAll(async () => {
  const files = ["docs.ts", "sessions.ts", "second-person.ts", "sign-in.ts", ...frameworks.map(({ file }) => file)];
  path = await project(files, [...new Set(frameworks.flatMap(({ packages }) => packages))]);
  await withoutTypes(path, files);
});

describe("frameworks", () => {
  test.each(frameworks)("the API works inside $name", async ({ file, credentials }) => {
    const { origin, stop } = await serve(path, process.execPath, () => [scriptOf(file)], "/");
    expect(await (await fetch(origin)).text()).toBe("The application itself.");
    await walk(`${origin}/docs-api`, credentials);
    await stop();
  });
});

test("users of the application are known to the API, and a second person joins with a link", async () => {
  const { origin } = await serve(path, process.execPath, () => ["sessions.js"], "/docs-api/v1/");
  const clientOf = async (user: string) => {
    const login = await fetch(`${origin}/login?user=${user}`, { method: "POST" });
    expect(login.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Lax/);
    const cookie = login.headers.get("set-cookie")!.split(";")[0]!;
    return createClient({ url: `${origin}/docs-api`, headers: { cookie } });
  };
  const [ada, grace] = [await clientOf("ada"), await clientOf("grace")];
  expect((await ada.call("getCurrentUser")).value?.displayName).toBe("Ada");
  const nobody = createClient({ url: `${origin}/docs-api`, headers: { cookie: "session=made-up" } });
  expect((await nobody.call("getCurrentUser")).error?.reason).toBe("unauthorized");

  const organization = await ada.call("createOrganization", { body: { title: "Acme" } });
  const params = { organizationId: organization.value!.id };
  expect((await grace.call("getOrganization", { params })).error?.reason).toBe("organization_not_found");
  const invite = await ada.call("createLinkInvite", { params, body: { role: "edit" } });
  const joined = await grace.call("acceptInvite", { params: { ...params, inviteId: invite.value!.id } });
  expect(joined).toMatchObject({ ok: true, value: { role: "edit", user: { displayName: "Grace" } } });
});

test("the recipe for a second person runs on its own", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["second-person.js"], { cwd: path });
  expect(stdout.trim().split("\n")).toEqual(["Grace may edit now.", "Ada admin", "Grace edit"]);
});

test("the recipe for sign-in shows its page", async () => {
  const { origin } = await serve(path, process.execPath, () => ["sign-in.js"], "/sign-in");
  expect(await (await fetch(`${origin}/sign-in`)).text()).toContain("<h1>Sign in</h1>");
});

test("the first example of the README runs as printed, and its link signs in to the console", async () => {
  const code = /```js title="server\.mjs"\n([\s\S]*?)```/.exec(await readFile(join(root, "README.md"), "utf8"))![1]!;
  await writeFile(join(path, "server.mjs"), code);
  const { origin, printed } = await serve(path, process.execPath, () => ["server.mjs"], "/sign-in");
  const link = new URL(await printed(/^Sign in at (\S+)$/m));
  const headers = { origin: link.origin };
  const signedIn = await fetch(origin + link.pathname, { method: "POST", headers, redirect: "manual" });
  expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, `${link.origin}/`]);
  const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
  expect(await (await fetch(origin, { headers: { cookie } })).text()).toContain("/~console/");
});

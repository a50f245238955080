// Books of every layout through the API and back: nothing that was not changed is written, and ids stay. And two processes
// that work on one space at once.

import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { corpus } from "../../content/book/books/corpus";
import { HOUR, open, type Setting, setUp } from "../../support/setting";
import { client, remote, WITH_PASSWORD } from "./git-sync-remote";

const options = { fetch: async () => new Response(null, { status: 404 }), git: { client } };
const place = { url: WITH_PASSWORD, ref: "refs/heads/main" };
const toExport = { ...place, commitMessage: "From here" };

async function started(): Promise<{ setting: Setting; at: string; errors: unknown[] }> {
  const errors: unknown[] = [];
  const setting = await setUp(memoryStorage(), { ...options, onError: (error) => errors.push(error) });
  const made = await setting.ask("create", `POST /v1/orgs/${setting.org}/spaces`, { title: "Docs" });
  return { setting, at: `/v1/spaces/${made.body.id}`, errors };
}

test.each(corpus)(
  "$name: import, export and import again change nothing, and an edit changes one file",
  async ({ contents, directory, root }) => {
    remote.reset();
    remote.commit(contents);
    const from = { ...place, repoProjectDirectory: directory };
    const to = { ...toExport, repoProjectDirectory: directory };
    const { setting, at, errors } = await started();
    const ask = (route: string, send?: unknown) => {
      setting.clock.forward(1000);
      return setting.ask("create", route, send);
    };
    await ask(`POST ${at}/git/import`, from);
    expect((await ask(`GET ${at}/git/info`)).body.lastRun).toMatchObject({ status: "completed" });
    const first = (await ask(`GET ${at}/content`)).body;
    await ask(`POST ${at}/git/export`, to);
    expect(remote.commits).toHaveLength(1);
    await ask(`POST ${at}/git/import`, { ...from, force: true });
    expect((await ask(`GET ${at}`)).body.revision).toBe(first.id);

    const page = first.pages
      .flatMap(function all(it: typeof first): (typeof first)[] {
        return [it, ...it.pages.flatMap(all)];
      })
      .find(
        (it: { type: string; git?: { path: string } }) =>
          it.type === "document" && `${root}${it.git?.path}` in contents,
      );
    const { markdown } = (await ask(`GET ${at}/content/page/${page.id}?format=markdown`)).body;
    const changes = [
      { operation: "update_page", page: page.id, document: { markdown: `${markdown}\nOne line more.\n` } },
    ];
    expect((await ask(`POST ${at}/content`, { changes })).status).toBe(200);
    await ask(`POST ${at}/git/export`, to);
    const [before, after] = remote.commits.map(({ files }) => files);
    const changed = [...after!].filter(([path, bytes]) => `${before!.get(path)}` !== `${bytes}`).map(([path]) => path);
    expect(changed).toHaveLength(1);
    expect(changed[0]!.endsWith(page.git.path)).toBe(true);
    expect(after!.size).toBe(before!.size);
    expect(errors).toEqual([]);
  },
);

test("two simultaneous processes make one commit and duplicate nothing", async () => {
  remote.reset({ "SUMMARY.md": "* [Home](README.md)\n", "README.md": "# Home\n" });
  const { setting, at, errors } = await started();
  await setting.ask("create", `POST ${at}/git/import`, place);
  const changes = [{ operation: "insert_page", title: "New", document: { markdown: "New." } }];
  await setting.ask("create", `POST ${at}/content`, { changes });
  const other = open(setting.storage, { ...options, onError: (error) => errors.push(error) });
  setting.clock.forward(1000);
  other.clock.now = setting.clock.now;
  await Promise.all([
    setting.ask("create", `POST ${at}/git/export`, toExport),
    other.askWith(setting.tokens.create, `POST ${at}/git/export`, toExport),
    setting.ask("create", `POST ${at}/git/import`, place),
  ]);
  for (const { api, clock } of [setting, other]) {
    clock.forward(HOUR);
    await api.maintain();
  }
  const { body } = await setting.ask("create", `GET ${at}/git/info`);
  expect(body).toMatchObject({ waiting: 0, lastRun: { status: "completed" } });
  expect(remote.commits).toHaveLength(2);
  const { pages } = (await setting.ask("create", `GET ${at}/content/pages`)).body;
  expect(pages.map(({ title }: { title: string }) => title)).toEqual(["Home", "New"]);
  expect(errors).toEqual([]);
});

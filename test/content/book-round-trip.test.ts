// A repository and a space, there and back: what nobody changed is the same, byte for byte, and pages keep their ids.

import { describe, expect, test } from "vitest";
import { corpus } from "./books/corpus";
import { Repository, Space } from "./books/trees";

describe.each(corpus)("%s", (_, contents, directory) => {
  test("is written as it was read", async () => {
    const [repository, space] = [new Repository(contents), new Space()];
    await space.import(repository, { directory });
    const written = await space.write({ previous: repository, directory });
    expect([...written.files.keys()]).toEqual([]);
    expect(written.deleted).toEqual([]);
  });

  test("is written whole into an empty repository, each file as it was", async () => {
    const [repository, space] = [new Repository(contents), new Space()];
    await space.import(repository, { directory });
    const { files } = await space.write();
    const written = new Repository().with({ files, deleted: [], stands: [], skipped: [] }).contents();
    const there = repository.contents();
    const pages = (await space.view.allPages()).flatMap(({ git }) => git?.path ?? []);
    expect(pages.length).toBeGreaterThan(1);
    for (const [path, text] of Object.entries(written)) {
      if (/SUMMARY.md$|vars.yaml$/.test(path)) continue;
      expect(Object.values(there).includes(text) || text === "", path).toBe(true);
    }
  });

  test("changes nothing when it is imported again, read whole or in part", async () => {
    const [repository, space] = [new Repository(contents), new Space()];
    await space.import(repository, { directory });
    for (const all of [true, false]) {
      const before = space.root;
      const laid = await space.import(repository, { directory, all });
      expect(space.root).toBe(before);
      expect([...space.brought.keys()]).toEqual([]);
      expect(laid.pages).toEqual({ created: 0, updated: 0, deleted: 0 });
      expect(laid.files).toEqual({ created: 0, updated: 0, deleted: 0 });
    }
  });

  test("gives the same pages with the same ids when it was written elsewhere and is read back", async () => {
    const [repository, space] = [new Repository(contents), new Space()];
    await space.import(repository, { directory });
    const [ids, outline] = [await space.ids(), await space.outline()];
    const there = await space.export(new Repository());
    await space.import(there);
    expect(await space.ids()).toEqual(ids);
    expect(await space.outline()).toEqual(outline);
    const again = await space.write({ previous: there });
    expect([...again.files.keys(), ...again.deleted]).toEqual([]);
  });
});

// Other processes on the storage of a setting, and events between their commits.

import type { DocsApiOptions, Storage } from "octavo";
import { expect } from "vitest";
import { open, type Person, type Setting } from "./setting";
import { through } from "./through";

/** A change of content, as it is sent. */
export type Change = Record<string, unknown>;

/** Another process on a storage. */
export function process(setting: Setting, storage: Storage = setting.storage, options: DocsApiOptions = {}) {
  const { api, askWith } = open(storage, {
    now: () => setting.clock.now,
    random: (n) => crypto.getRandomValues(new Uint8Array(n)),
    ...options,
  });
  const ask = (as: Person, route: string, send?: unknown, headers?: Record<string, string>) =>
    askWith(setting.tokens[as], route, send, headers);
  const write = (space: string, changes: Change[], headers?: Record<string, string>) =>
    ask("edit", `POST /v1/spaces/${space}/content`, { changes }, headers);
  return { api, ask, write };
}

/** The revisions of a space from the first on: numbered without gaps, each after the one before, the last one shown. */
export async function revisionsOf({ ask }: Setting, space: string, as: Person = "admin"): Promise<Revision[]> {
  const { items, count } = (await ask(as, `GET /v1/spaces/${space}/revisions?limit=1000`)).body;
  expect(count).toBe(items.length);
  const revisions = (items as Revision[]).toReversed();
  expect(revisions.map(({ number }) => number)).toEqual(revisions.map((_, i) => i + 1));
  for (const [i, { parents }] of revisions.entries()) expect(parents[0]).toBe(revisions[i - 1]?.id);
  expect((await ask(as, `GET /v1/spaces/${space}`)).body.revision).toBe(revisions.at(-1)!.id);
  return revisions;
}

interface Revision {
  readonly id: string;
  readonly number: number;
  readonly type: string;
  readonly parents: readonly string[];
}

/** Holds commits back until so many wait, then lets all through. */
export function meeting(storage: Storage, callers: number): Storage {
  const waiting: (() => void)[] = [];
  let isOver = false;
  const meet = () =>
    new Promise<void>((go) => {
      if (isOver) return go();
      waiting.push(go);
      if (waiting.length < callers) return;
      isOver = true;
      for (const next of waiting) next();
    });
  return through(storage, { commit: (_, go) => meet().then(go) });
}

/** Does something else before the first commit, which was decided without it. */
export function interrupted(storage: Storage, meanwhile: () => Promise<unknown>): Storage {
  let isFirst = true;
  return through(storage, {
    async commit(_, go) {
      if (isFirst) {
        isFirst = false;
        await meanwhile();
      }
      return go();
    },
  });
}

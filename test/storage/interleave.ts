// Runs tasks over one storage in an order that a seed decides: every call of the storage waits until it is picked. Tasks
// can be killed at any call, as a process can. The same seed gives the same run.

import type { Storage } from "octavo";
import { seeded } from "../support/setting";
import { through } from "../support/through";

export interface Interleaving {
  /** The storage as a task sees it. */
  readonly storageFor: (task: number) => Storage;
  /** Runs the tasks to their ends; `onStep` looks at the storage after every call. Killed tasks just stop. */
  readonly run: (tasks: readonly (() => Promise<void>)[], onStep: () => Promise<void>) => Promise<void>;
}

export function interleave(storage: Storage, seed: number, options: { killOneIn?: number } = {}): Interleaving {
  const random = seeded(seed);
  const number = (below: number) => ((random(1)[0]! << 8) | random(1)[0]!) % below;
  const waiting: { task: number; go: () => void }[] = [];
  const dead = new Set<number>();

  const turn = (task: number) => new Promise<void>((go) => waiting.push({ task, go }));
  const gate = async <T>(task: number, call: () => Promise<T>): Promise<T> => {
    await turn(task);
    const result = await call();
    await turn(task);
    return result;
  };

  return {
    storageFor: (task) =>
      through(storage, {
        snapshot: (go) => gate(task, go),
        commit: (_, go) => gate(task, go),
        blob: (_, go) => gate(task, go),
      }),
    async run(tasks, onStep) {
      let failed: unknown;
      const ended = new Set<number>();
      for (const [i, task] of tasks.entries()) {
        task().then(
          () => ended.add(i),
          (error) => {
            failed ??= error;
            ended.add(i);
          },
        );
      }
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        await onStep();
        const ready = waiting.filter(({ task }) => !dead.has(task));
        if (ready.length === 0 && tasks.every((_, i) => ended.has(i) || dead.has(i))) break;
        if (ready.length === 0) continue;
        const next = ready[number(ready.length)]!;
        if (options.killOneIn && number(options.killOneIn) === 0) {
          dead.add(next.task);
          continue;
        }
        waiting.splice(waiting.indexOf(next), 1);
        next.go();
      }
      if (failed) throw failed;
    },
  };
}

/** The first seed for which the run fails; undefined when none does. */
export async function firstFailure(seeds: number, run: (seed: number) => Promise<void>): Promise<number | undefined> {
  for (let seed = 1; seed <= seeds; seed++) {
    try {
      await run(seed);
    } catch {
      return seed;
    }
  }
  return undefined;
}

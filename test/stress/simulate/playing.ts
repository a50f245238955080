// A process that plays an engine, seen from the one that asks it.

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type EngineName, programOf } from "./engines";
import type { Asked, Told } from "./player";

const PLAYER = fileURLToPath(new URL("./player.ts", import.meta.url));

/** `tell` is given what it says meanwhile. */
export function playing(engine: EngineName, tell: (sentence: string) => void) {
  const { execPath, execArgv } = programOf(engine);
  const child = fork(PLAYER, [engine], { execPath, execArgv: [...execArgv] });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`A process that plays seeds ended with ${code}.`);
  });
  // It ends in the end, too.
  ended.catch(() => {});
  const ask = async (asked: Asked) => {
    child.send(asked);
    for (;;) {
      const [told] = (await Promise.race([once(child, "message"), ended])) as [Told];
      if (told.what !== "sentence") return told;
      tell(told.sentence);
    }
  };
  return { child, ask };
}

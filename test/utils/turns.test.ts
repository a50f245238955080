// Turns: in the order of the calls, and ended early when somebody leaves.

import { expect, test } from "vitest";
import { pauseUntilNextTurn } from "../../src/utils/concurrency/event-loop";
import { createKeyedMutex } from "../../src/utils/concurrency/keyed-mutex";

test("calls with the same key run one after another, even after a failure, and other keys do not wait", async () => {
  const turns = createKeyedMutex();
  const seen: string[] = [];
  const call = (name: string, label: string, fails = false) =>
    turns(name, async () => {
      seen.push(`${label} begins`);
      await new Promise((turn) => setImmediate(turn));
      seen.push(`${label} ends`);
      if (fails) throw new Error(label);
    }).catch((error: Error) => expect(error.message).toBe("1"));
  await Promise.all([call("a", "1", true), call("a", "2"), call("b", "3")]);
  expect(seen.filter((it) => !it.startsWith("3"))).toEqual(["1 begins", "1 ends", "2 begins", "2 ends"]);
  expect(seen.indexOf("3 begins")).toBeLessThan(seen.indexOf("1 ends"));
});

test("a caller that left does not block the queue and may join it again", async () => {
  const turns = createKeyedMutex();
  const answer = await turns("a", async (leave) => {
    leave();
    return turns("a", async () => "inner");
  });
  expect(answer).toBe("inner");
});

test("of several paused calls, one continues in each turn of the event loop", async () => {
  const seen: string[] = [];
  let isOver = false;
  const outside = (async () => {
    while (!isOver) {
      seen.push("|");
      await new Promise((turn) => setImmediate(turn));
    }
  })();
  const work = async (name: string) => {
    for (let time = 0; time < 3; time++) {
      await pauseUntilNextTurn();
      seen.push(name);
    }
  };
  await Promise.all(["a", "b", "c"].map(work));
  isOver = true;
  await outside;
  expect(seen.join("").replaceAll("|", "")).toBe("abcabcabc");
  expect(seen.join("")).not.toMatch(/[abc]{2}/);
});

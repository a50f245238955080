// Streams that are made of what is there: in pieces, with turns for others between them, and ended when nobody reads on.

import { expect, test } from "vitest";
import { streamChunks, streamJsonLines } from "../../src/utils/streams";

const bytes = (text: string) => new TextEncoder().encode(text);

/** Counts how often others could have had a turn. */
function turns() {
  let count = 0;
  return {
    turn: async () => void count++,
    count: () => count,
  };
}

test("a byte stream keeps its order, hands out copies and yields before each piece", async () => {
  const first = bytes("one ");
  const { turn, count } = turns();
  const packed = { length: 3, unpack: () => bytes("two") };
  const reader = streamChunks([first, packed], turn).getReader();
  const read = (await reader.read()).value!;
  expect(count()).toBe(1);
  read.fill(0);
  expect(first).toEqual(bytes("one "));
  expect((await reader.read()).value).toEqual(bytes("two"));
  expect([(await reader.read()).done, count()]).toEqual([true, 3]);
});

test("a line stream keeps its order, batches some hundred lines and yields before each batch", async () => {
  const { turn, count } = turns();
  async function* numbers() {
    for (let n = 0; n < 450; n++) yield { n };
  }
  const chunks: string[] = [];
  for await (const chunk of streamJsonLines(numbers(), turn)) chunks.push(new TextDecoder().decode(chunk));
  const lines = chunks.join("").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: 450 }, (_, n) => n));
  expect([chunks.length, count() >= 450]).toEqual([3, true]);
});

test("a stream without lines is empty, and nothing is read ahead of the reader", async () => {
  async function* none(): AsyncGenerator<object, void> {}
  expect(await new Response(streamJsonLines(none(), async () => {})).text()).toBe("");
  let isEnded = false;
  async function* endless() {
    try {
      for (;;) yield {};
    } finally {
      isEnded = true;
    }
  }
  const reader = streamJsonLines(endless(), async () => {}).getReader();
  await reader.read();
  await reader.cancel();
  expect(isEnded).toBe(true);
});

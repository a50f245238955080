// An answer that is made while it is sent: lines of another service, read in pieces, changed, and passed on.

import { createIntegration } from "./runtime.js";

function lines() {
  let rest = "";
  return new TransformStream({
    transform(piece, controller) {
      const parts = (rest + piece).split("\n");
      rest = parts.pop();
      for (const part of parts) controller.enqueue(part);
    },
    flush(controller) {
      if (rest) controller.enqueue(rest);
    },
  });
}

export default createIntegration({
  async fetch() {
    const { body } = await fetch("https://model.example/stream");
    const [one, two] = body.pipeThrough(new TextDecoderStream()).pipeThrough(lines()).tee();
    let count = 0;
    const counted = (async () => {
      for await (const line of two) count += line.startsWith("data:") ? 1 : 0;
      return count;
    })();
    const told = new TransformStream({
      transform: (line, controller) => {
        if (line.startsWith("data:")) controller.enqueue(`${line.slice(5).trim().toUpperCase()}\n`);
      },
      flush: async (controller) => controller.enqueue(`${await counted} lines`),
    });
    const answer = one.pipeThrough(told).pipeThrough(new TextEncoderStream());
    return new Response(answer, { headers: { "content-type": "text/plain" } });
  },
});

// Code that is made of classes which tell each other of events, with a request that ends when it takes too long.

import { createIntegration } from "./runtime.js";

class Queue extends EventTarget {
  #waiting = [];

  push(job) {
    this.#waiting.push(job);
    this.dispatchEvent(new CustomEvent("pushed", { detail: { size: this.#waiting.length } }));
  }

  async drain() {
    for (const job of this.#waiting.splice(0)) await job();
    this.dispatchEvent(new Event("drained"));
  }
}

export default createIntegration({
  events: {
    space_content_updated: [
      async ({ spaceId }, { environment }) => {
        const queue = new Queue();
        const began = performance.now();
        queue.addEventListener("pushed", ({ detail }) => console.log(`waiting: ${detail.size}`), { once: true });
        queue.addEventListener("drained", {
          handleEvent: (event) => console.log(event.type, performance.now() >= began),
        });
        for (const path of ["", "/content/pages"])
          queue.push(async () => {
            const headers = { authorization: `Bearer ${environment.apiTokens.installation}` };
            const url = `${environment.apiEndpoint}/v1/spaces/${spaceId}${path}`;
            const response = await fetch(url, { headers, signal: AbortSignal.timeout(5000) });
            console.log(path, response.status);
          });
        await queue.drain();
      },
      async () => {
        const controller = new AbortController();
        const wait = fetch("https://slow.example/", { signal: controller.signal });
        controller.abort(new DOMException("Enough", "AbortError"));
        await wait.catch((error) => console.log(error.name, error.message));
      },
    ],
  },
});

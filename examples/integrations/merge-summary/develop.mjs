// Runs the integration on this machine while it is being developed: `node --watch develop.mjs`, on the port of PORT or 4001.
// What it writes to the console is seen here, and not in the record of an event.

import { createServer } from "node:http";
import integration from "./integration.js";

const port = Number(process.env.PORT || 4001);

createServer(async (incoming, outgoing) => {
  try {
    const headers = { "content-type": incoming.headers["content-type"] ?? "" };
    const request = new Request(`http://127.0.0.1:${port}${incoming.url}`, {
      method: "POST",
      headers,
      body: incoming,
      duplex: "half",
    });
    const response = await integration.fetch(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  } catch (error) {
    console.error(error);
    outgoing.writeHead(500).end();
  }
}).listen(port, "127.0.0.1", () => console.log(`Events are taken at http://127.0.0.1:${port}.`));

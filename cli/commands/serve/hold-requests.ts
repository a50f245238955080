// Holds requests back until the first start is complete.

import type { NodeHandler } from "octavo/node";

/**
 * Returns a handler that answers once the server is ready, so that no client, and no load balancer that polls `/v1/ready`, meets
 * a server without its admin and its organization. The port is taken before that: if it is in use, nothing is created.
 */
export function holdRequests(ready: Promise<void>, handler: NodeHandler): NodeHandler {
  let isReady = false;
  void ready.then(() => {
    isReady = true;
  });
  return (request, response) => {
    if (isReady || request.url === "/v1/health") handler(request, response);
    else void ready.then(() => handler(request, response));
  };
}

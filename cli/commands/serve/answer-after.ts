// Requests that come before the first start is over.

import type { NodeHandler } from "octavo/node";

/**
 * Returns a handler that answers once the server has begun, so that nobody, and no load balancer that asks `/v1/ready`, meets a
 * server without its admin and its organization. The port is taken before that: where it is in use, nothing is made.
 */
export function answerAfter(begun: Promise<void>, handler: NodeHandler): NodeHandler {
  let hasBegun = false;
  void begun.then(() => {
    hasBegun = true;
  });
  return (request, response) => {
    if (hasBegun || request.url === "/v1/health") handler(request, response);
    else void begun.then(() => handler(request, response));
  };
}

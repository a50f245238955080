// The address of the client. A header is trusted only as far as the host's own proxies wrote it.

import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** Makes the function that tells a client's address behind a number of trusted proxies. */
export function clientAddress(trustProxy: number): (req: IncomingMessage) => string | undefined {
  if (!Number.isInteger(trustProxy) || trustProxy < 0)
    throw new TypeError("nodeHandler: `trustProxy` is a number of proxies: 0, 1, 2 …");
  if (trustProxy === 0) return (req) => req.socket.remoteAddress;
  return (req) => {
    // Each proxy adds, at the right, the address from which it was called. So anything that the client made up is to
    // the left of the hop taken here. With fewer hops than proxies, the header was not written by them.
    const hops = String(req.headers["x-forwarded-for"] ?? "").split(",");
    return ipOf(hops.at(-trustProxy)?.trim() ?? "") ?? req.socket.remoteAddress;
  };
}

/** An IP address, also out of `192.0.2.1:4711`, `[2001:db8::1]` and `[2001:db8::1]:4711`, which some proxies write. */
function ipOf(hop: string): string | undefined {
  const address = hop.match(/^\[(.*)\](?::\d+)?$/)?.[1] ?? hop.match(/^([\d.]+):\d+$/)?.[1] ?? hop;
  return isIP(address) ? address : undefined;
}

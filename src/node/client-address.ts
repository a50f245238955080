// Finds the address of the client. A header is trusted only as far as the host's own proxies wrote it.

import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** A number of proxies, or the addresses and networks (`10.0.0.0/8`, `::1`) that proxies have. */
export type TrustProxy = number | readonly string[];

/** Creates the function that returns a client's address behind trusted proxies. */
export function createClientAddressReader(trustProxy: TrustProxy): (req: IncomingMessage) => string | undefined {
  if (!Array.isArray(trustProxy)) {
    if (typeof trustProxy !== "number" || !Number.isInteger(trustProxy) || trustProxy < 0)
      throw new TypeError("nodeHandler: `trustProxy` is a number of proxies (0, 1, 2 …) or a list of their addresses.");
    if (trustProxy === 0) return (req) => req.socket.remoteAddress;
    // Each proxy appends the address from which it was called. So anything that the client made up is to the left of the hop that
    // is taken here. If there are fewer hops than proxies, the proxies did not write the header.
    return (req) => parseHop(listHops(req).at(-trustProxy) ?? "") ?? req.socket.remoteAddress;
  }

  const proxies = new BlockList();
  for (const proxy of trustProxy) {
    const [, address = "", bits] = String(proxy).match(/^([^/%]+)(?:\/(\d{1,3}))?$/) ?? [];
    const family = isIP(address);
    const maxBits = family === 4 ? 32 : 128;
    if (family === 0 || Number(bits ?? 0) > maxBits)
      throw new TypeError(
        `nodeHandler: \`trustProxy\` has ${proxy}, which is no IP address and no network such as 10.0.0.0/8.`,
      );
    proxies.addSubnet(address, Number(bits ?? maxBits), family === 4 ? "ipv4" : "ipv6");
  }
  // The client is the nearest address that is not one of the proxies. From the connection on to the left, each hop was written by
  // the one to its right, and counts only while that one is a trusted proxy.
  return (req) => {
    let nearest = req.socket.remoteAddress;
    for (const hop of listHops(req).reverse()) {
      if (nearest === undefined) return undefined;
      // An IPv4 address that is written as IPv6 is found among the networks of IPv4.
      const bareAddress: string = nearest.split("%")[0]!;
      if (!proxies.check(bareAddress, isIP(bareAddress) === 4 ? "ipv4" : "ipv6")) return nearest;
      const address = parseHop(hop);
      // A proxy that names nobody counts as the client.
      if (address === undefined) return nearest;
      nearest = address;
    }
    return nearest;
  };
}

function listHops(req: IncomingMessage): string[] {
  const header = req.headers["x-forwarded-for"];
  if (header === undefined) return [];
  return String(header)
    .split(",")
    .map((hop) => hop.trim());
}

/** Returns an IP address, also of `192.0.2.1:4711`, `[2001:db8::1]` and `[2001:db8::1]:4711`, which some proxies write. */
function parseHop(hop: string): string | undefined {
  const address = hop.match(/^\[(.*)\](?::\d+)?$/)?.[1] ?? hop.match(/^([\d.]+):\d+$/)?.[1] ?? hop;
  return isIP(address) ? address : undefined;
}

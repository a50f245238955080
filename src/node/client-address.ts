// The address of the client. A header is trusted only as far as the host's own proxies wrote it.

import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** A number of proxies, or the addresses and networks (`10.0.0.0/8`, `::1`) that proxies have. */
export type TrustProxy = number | readonly string[];

/** Makes the function that tells a client's address behind trusted proxies. */
export function clientAddress(trustProxy: TrustProxy): (req: IncomingMessage) => string | undefined {
  if (Array.isArray(trustProxy)) return behindKnown(trustProxy);
  if (typeof trustProxy !== "number" || !Number.isInteger(trustProxy) || trustProxy < 0)
    throw new TypeError("nodeHandler: `trustProxy` is a number of proxies (0, 1, 2 …) or a list of their addresses.");
  if (trustProxy === 0) return (req) => req.socket.remoteAddress;
  // Each proxy adds, at the right, the address from which it was called. So anything that the client made up is to
  // the left of the hop taken here. With fewer hops than proxies, the header was not written by them.
  return (req) => ipOf(hopsOf(req).at(-trustProxy) ?? "") ?? req.socket.remoteAddress;
}

/**
 * The nearest address that is not one of the proxies. From the connection on to the left, each hop was written by the one
 * to its right, and counts only while that one is a proxy of ours.
 */
function behindKnown(proxies: readonly string[]): (req: IncomingMessage) => string | undefined {
  const trusted = networks(proxies);
  return (req) => {
    let nearest = req.socket.remoteAddress;
    for (const hop of hopsOf(req).reverse()) {
      if (nearest === undefined || !includes(trusted, nearest)) return nearest;
      const address = ipOf(hop);
      // A proxy that names nobody stands for the client itself.
      if (address === undefined) return nearest;
      nearest = address;
    }
    return nearest;
  };
}

function hopsOf(req: IncomingMessage): string[] {
  const header = req.headers["x-forwarded-for"];
  return header === undefined
    ? []
    : String(header)
        .split(",")
        .map((hop) => hop.trim());
}

function networks(proxies: readonly string[]): BlockList {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [, address = "", bits] = String(proxy).match(/^([^/%]+)(?:\/(\d{1,3}))?$/) ?? [];
    const family = isIP(address);
    const longest = family === 4 ? 32 : 128;
    if (family === 0 || Number(bits ?? 0) > longest)
      throw new TypeError(
        `nodeHandler: \`trustProxy\` has ${proxy}, which is no IP address and no network such as 10.0.0.0/8.`,
      );
    list.addSubnet(address, Number(bits ?? longest), family === 4 ? "ipv4" : "ipv6");
  }
  return list;
}

/** An IPv4 address that is written as one of IPv6 is found among the networks of IPv4. */
function includes(list: BlockList, address: string): boolean {
  const plain = address.split("%")[0]!;
  return list.check(plain, isIP(plain) === 4 ? "ipv4" : "ipv6");
}

/** An IP address, also out of `192.0.2.1:4711`, `[2001:db8::1]` and `[2001:db8::1]:4711`, which some proxies write. */
function ipOf(hop: string): string | undefined {
  const address = hop.match(/^\[(.*)\](?::\d+)?$/)?.[1] ?? hop.match(/^([\d.]+):\d+$/)?.[1] ?? hop;
  return isIP(address) ? address : undefined;
}

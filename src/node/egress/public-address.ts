// Decides which network addresses are public. Everything in the IANA special-purpose registries that is not a host on the internet has
// a kind here, in IPv4 and in the IPv6 addresses that represent it.

import { BlockList, isIP } from "node:net";

export type AddressKind =
  | "cloud metadata"
  | "unspecified"
  | "loopback"
  | "private"
  | "link-local"
  | "shared (carrier-grade NAT)"
  | "multicast"
  | "reserved";

// The first kind that matches is reported.
const subnetsByKind: readonly (readonly [kind: AddressKind, subnets: readonly string[]])[] = [
  [
    "cloud metadata",
    [
      "169.254.169.254/32",
      "169.254.170.2/32",
      "100.100.100.200/32",
      "168.63.129.16/32",
      "192.0.0.192/32",
      "fd00:ec2::/32",
      "fd20:ce::254/128",
    ],
  ],
  ["unspecified", ["0.0.0.0/8", "::/128"]],
  ["loopback", ["127.0.0.0/8", "::1/128"]],
  ["private", ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"]],
  ["link-local", ["169.254.0.0/16", "fe80::/10"]],
  ["shared (carrier-grade NAT)", ["100.64.0.0/10"]],
  ["multicast", ["224.0.0.0/4", "ff00::/8"]],
  [
    "reserved",
    [
      "192.0.0.0/24",
      "192.0.2.0/24",
      "192.88.99.0/24",
      "198.18.0.0/15",
      "198.51.100.0/24",
      "203.0.113.0/24",
      "240.0.0.0/4",
      // Teredo and other protocols; documentation; 6to4, which wraps an IPv4 address and is not routed any more.
      "2001::/23",
      "2001:db8::/32",
      "3fff::/20",
      "2002::/16",
    ],
  ],
];

// IPv6 that leads to a host on the internet: global unicast, and IPv4 as mapped and as NAT64 spell it.
const MAPPED = "::ffff:";
const NAT64 = "64:ff9b::";
const publicSubnets = createBlockList(["2000::/3", `${MAPPED}0:0/96`, `${NAT64}/96`]);

const blockListsByKind = subnetsByKind.map(([kind, subnets]) => {
  // An IPv4 subnet also has spellings as IPv6.
  const spellings = subnets.flatMap((subnet) => {
    if (subnet.includes(":")) return [subnet];
    const [network, bits] = subnet.split("/");
    const ipv6Bits = 96 + Number(bits);
    return [subnet, `${MAPPED}${network}/${ipv6Bits}`, `${NAT64}${network}/${ipv6Bits}`];
  });
  return [kind, createBlockList(spellings)] as const;
});

/** Returns the kind of an address that is not public, or undefined. A text that is no IP address counts as reserved. */
export function getSpecialAddressKind(address: string): AddressKind | undefined {
  const bareAddress = address.split("%")[0]!;
  const family = isIP(bareAddress);
  if (family === 0) return "reserved";
  const type = family === 4 ? "ipv4" : "ipv6";
  const found = blockListsByKind.find(([, list]) => list.check(bareAddress, type));
  if (found) return found[0];
  return family === 4 || publicSubnets.check(bareAddress, type) ? undefined : "reserved";
}

function createBlockList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network, bits] = subnet.split("/");
    list.addSubnet(network!, Number(bits), network!.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}

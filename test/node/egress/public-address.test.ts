// Every address range that an outbound request must not reach, in every spelling of it (S1).

import { describe, expect, test } from "vitest";
import { getSpecialAddressKind } from "../../../src/node/egress/public-address";

const forbidden: [address: string, kind: string][] = [
  ["0.0.0.0", "unspecified"],
  ["0.1.2.3", "unspecified"],
  ["127.0.0.1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["10.0.0.0", "private"],
  ["10.255.255.255", "private"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.168.0.1", "private"],
  ["169.254.0.1", "link-local"],
  ["169.254.169.254", "cloud metadata"],
  ["169.254.170.2", "cloud metadata"],
  ["100.100.100.200", "cloud metadata"],
  ["168.63.129.16", "cloud metadata"],
  ["192.0.0.192", "cloud metadata"],
  ["100.64.0.1", "shared (carrier-grade NAT)"],
  ["100.127.255.255", "shared (carrier-grade NAT)"],
  ["224.0.0.1", "multicast"],
  ["239.255.255.255", "multicast"],
  ["192.0.0.1", "reserved"],
  ["192.0.2.1", "reserved"],
  ["192.88.99.1", "reserved"],
  ["198.18.0.1", "reserved"],
  ["198.19.255.255", "reserved"],
  ["198.51.100.1", "reserved"],
  ["203.0.113.1", "reserved"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "reserved"],
];

const reachable = ["1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.0.1", "172.32.0.1"];

describe("IPv4", () => {
  test.each(forbidden)("the IPv4 address %s is %s", (address, kind) => {
    expect(getSpecialAddressKind(address)).toBe(kind);
  });

  test.each(reachable)("the IPv4 address %s is public", (address) => {
    expect(getSpecialAddressKind(address)).toBeUndefined();
  });
});

describe("IPv6 addresses that embed IPv4", () => {
  test.each(forbidden)(
    "the IPv4 address %s is %s when it is mapped or behind NAT64, in dotted and hexadecimal form",
    (address, kind) => {
      for (const prefix of ["::ffff:", "0:0:0:0:0:FFFF:", "64:ff9b::", "64:FF9B:0:0:0:0:"]) {
        expect(getSpecialAddressKind(prefix + address)).toBe(kind);
        expect(getSpecialAddressKind(prefix + hexadecimal(address))).toBe(kind);
      }
    },
  );

  test.each(reachable)("the IPv4 address %s is public when it is mapped or behind NAT64", (address) => {
    expect(getSpecialAddressKind(`::ffff:${address}`)).toBeUndefined();
    expect(getSpecialAddressKind(`64:ff9b::${hexadecimal(address)}`)).toBeUndefined();
  });

  test.each([
    ["6to4", "2002:808:808::1"],
    ["6to4 of a private address", "2002:a00:1::1"],
    ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    ["IPv4-compatible", "::8.8.8.8"],
    ["NAT64 of a local network", "64:ff9b:1::808:808"],
    ["IPv4-translated", "::ffff:0:8.8.8.8"],
  ])("the IPv6 address %s is reserved, whatever it embeds", (_, address) => {
    expect(getSpecialAddressKind(address)).toBe("reserved");
  });
});

describe("IPv6", () => {
  test.each([
    ["::", "unspecified"],
    ["0:0:0:0:0:0:0:0", "unspecified"],
    ["::1", "loopback"],
    ["0000:0000:0000:0000:0000:0000:0000:0001", "loopback"],
    ["fc00::1", "private"],
    ["fdff:ffff::1", "private"],
    ["fec0::1", "private"],
    ["fe80::1", "link-local"],
    ["fe80::1%eth0", "link-local"],
    ["febf::1", "link-local"],
    ["ff02::1", "multicast"],
    ["fd00:ec2::254", "cloud metadata"],
    ["fd20:ce::254", "cloud metadata"],
    ["2001:db8::1", "reserved"],
    ["3fff::1", "reserved"],
    ["100::1", "reserved"],
    ["5f00::1", "reserved"],
    ["4000::1", "reserved"],
  ])("the IPv6 address %s is %s", (address, kind) => {
    expect(getSpecialAddressKind(address)).toBe(kind);
  });

  test.each(["2606:4700::1111", "2001:4860:4860::8888", "2a00:1450::1"])("the IPv6 address %s is public", (address) => {
    expect(getSpecialAddressKind(address)).toBeUndefined();
  });
});

test.each(["", "localhost", "1.2.3", "0x7f000001", "127.1"])("%j is not an address and is refused", (text) => {
  expect(getSpecialAddressKind(text)).toBe("reserved");
});

function hexadecimal(ipv4: string): string {
  const [a, b, c, d] = ipv4.split(".").map(Number) as [number, number, number, number];
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

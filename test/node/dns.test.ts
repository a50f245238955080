// The proof of domains by DNS, with a real DNS server whose answers the test decides.

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { dnsVerifyDomain } from "octavo/node";
import { expect, onTestFinished, test } from "vitest";

/** The name that is asked about, and where the question ends. */
function questionIn(message: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 5 };
}

/** Answers with TXT records, each in pieces; undefined: there is no such name. */
async function server(records: Readonly<Record<string, readonly (readonly string[])[]>>, code = 0) {
  const socket = createSocket("udp4");
  socket.on("message", (message, { port, address }) => {
    const { name, end } = questionIn(message);
    const found = records[name];
    const answers = (found ?? []).map((pieces) => {
      const data = Buffer.concat(pieces.flatMap((piece) => [Buffer.from([piece.length]), Buffer.from(piece)]));
      const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, data.length >> 8, data.length & 255]);
      return Buffer.concat([head, data]);
    });
    const header = Buffer.alloc(12);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (found ? code : code || 3), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([header, message.subarray(12, end), ...answers]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

const claim = { domain: "docs.acme.example", kind: "site", organization: "org_a", token: "the-token" } as const;

test("a TXT record with the token proves a domain, in one piece or several, among other records", async () => {
  const name = "_octavo-challenge.docs.acme.example";
  const answer = async (records: readonly (readonly string[])[]) =>
    dnsVerifyDomain({ servers: [await server({ [name]: records })] })(claim);
  expect(await answer([["other"], ["the-token"]])).toBe(true);
  expect(await answer([["the-", "token"]])).toBe(true);
  expect(await answer([["the-token-and-more"], ["token"], ["the-", "tok"]])).toBe(false);
});

test("a missing record or host name proves nothing", async () => {
  const servers = [await server({ "docs.acme.example": [["the-token"]] })];
  expect(await dnsVerifyDomain({ servers })(claim)).toBe(false);
});

test("a failing DNS server throws, so that the check is repeated", async () => {
  const servers = [await server({}, 2)];
  await expect(dnsVerifyDomain({ servers })(claim)).rejects.toThrow();
});

// The options for the address that a server listens on, and for the origin under which people reach it. `serve` and every command
// that prints a URL of the server have them.

import { addVariables, type CommandInput, type CommandOption, UsageError } from "../framework/command";
import { readNumber } from "../framework/command-input";

export const originOptions: readonly CommandOption[] = addVariables([
  { name: "port", value: "number", fallback: "3000", summary: "The port to listen on." },
  {
    name: "host",
    value: "address",
    fallback: "127.0.0.1",
    summary: "The address to listen on. Use 0.0.0.0 for all addresses of this machine.",
  },
  {
    name: "origin",
    value: "url",
    fallback: "http://HOST:PORT",
    summary: "The public origin, for URLs in responses.",
  },
]);

export interface PublicOrigin {
  readonly port: number;
  readonly host: string;
  /** The URL by which this machine reaches the server. */
  readonly address: string;
  readonly origin: string;
}

export function readPublicOrigin(input: CommandInput): PublicOrigin {
  const { text, label } = input;
  const port = readNumber(input, "port", 1, 65535) ?? 3000;
  const host = text("host") ?? "127.0.0.1";
  const address = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  if (!URL.canParse(address)) throw new UsageError(`${label("host")} must be a host name or an IP address.`);
  const origin = text("origin") ?? address;
  if (origin !== address && !isOrigin(origin))
    throw new UsageError(`${label("origin")} must be an origin without a path, such as https://docs.example.com.`);
  return { port, host, address, origin };
}

export function isOrigin(text: string): boolean {
  if (!/^https?:/.test(text) || !URL.canParse(text)) return false;
  const { origin, href } = new URL(text);
  return href === `${origin}/`;
}

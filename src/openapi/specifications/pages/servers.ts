// Where an API is: its servers, with the variables in their addresses.

import { trimTrailingSlashes } from "../../../utils/url";
import { listed } from "./constraints";
import { listIn, member, membersIn, textIn } from "./pointers";
import { entry } from "./schemas";
import { code } from "./words";
import type { Writing } from "./writing";

/** The most servers and variables that are shown, and the longest address. */
const MAX_SHOWN = 20;
const MAX_ADDRESS = 500;

/** The servers that apply: those of the operation, else of its path, else of all. */
export function serversOf(operation: unknown, path: unknown, root: unknown): readonly unknown[] {
  for (const place of [operation, path, root]) {
    const servers = listIn(place, "servers");
    if (servers.length > 0) return servers;
  }
  const old = oldServer(root);
  return old === "" ? [] : [{ url: old }];
}

/** Host and base path of Swagger 2. */
function oldServer(root: unknown): string {
  const host = textIn(root, "host");
  const base = (textIn(root, "basePath") ?? "").slice(0, MAX_ADDRESS);
  if (host === undefined) return base;
  const scheme = listIn(root, "schemes").find((it) => it === "http" || it === "https") ?? "https";
  return `${scheme}://${host.slice(0, MAX_ADDRESS)}${base}`;
}

/** The address that paths begin with: that of the first server, with the defaults of its variables. */
export function baseOf(servers: readonly unknown[]): string {
  return trimTrailingSlashes(filled(servers[0]));
}

/** The address of a server. Variables have their defaults, where no other values are given. */
export function filled(server: unknown, values: Readonly<Record<string, string>> = {}): string {
  const variables = member(server, "variables");
  const url = (textIn(server, "url") ?? "").slice(0, MAX_ADDRESS);
  return url.replaceAll(/\{([^{}]*)\}/g, (written, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : member(member(variables, name), "default");
    return typeof value === "string" || typeof value === "number" ? String(value).slice(0, MAX_ADDRESS) : written;
  });
}

/** The servers as blocks; nothing if there is one that says it all. */
export function serverBlocks(writing: Writing, servers: readonly unknown[]): string[] {
  const isSimple = servers.length <= 1 && membersIn(servers[0], "variables").length === 0;
  if (isSimple) return [];
  const lines = servers.slice(0, MAX_SHOWN).flatMap((server) => {
    const variables = membersIn(server, "variables").slice(0, MAX_SHOWN);
    const address = textIn(server, "url") ?? "";
    const about = { kind: "", notes: [], description: textIn(server, "description"), limits: "" };
    return [
      entry(writing, { ...about, label: code(address.slice(0, MAX_ADDRESS)) }, 0, variables.length > 0),
      ...variables.map(([name, variable]) => {
        const [values, standard] = [listIn(variable, "enum"), member(variable, "default")];
        const limits = [
          values.length > 0 ? `One of ${listed(values)}.` : "",
          standard === undefined ? "" : `Default ${listed([standard])}.`,
        ];
        const said = {
          description: textIn(variable, "description"),
          limits: limits.filter((it) => it !== "").join(" "),
        };
        return entry(writing, { label: code(name), kind: "", notes: [], ...said }, 1, false);
      }),
    ];
  });
  return ["## Servers", lines.join("\n")];
}

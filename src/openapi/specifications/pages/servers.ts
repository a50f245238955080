// Writes the servers of an API, with the variables in their addresses.

import { trimTrailingSlashes } from "../../../utils/url";
import { formatValues } from "./constraints";
import { formatCode } from "./format-markdown";
import type { PageWriter } from "./page-writer";
import { getListMember, getMemberEntries, getOwnMember, getTextMember } from "./resolve-references";
import { writeEntry } from "./schemas";

/** The most servers and variables that are shown, and the longest address. */
const MAX_SHOWN = 20;
const MAX_ADDRESS = 500;

/** Lists the servers that apply: those of the operation, of its path, or of the specification. */
export function listServers(operation: unknown, path: unknown, root: unknown): readonly unknown[] {
  for (const place of [operation, path, root]) {
    const servers = getListMember(place, "servers");
    if (servers.length > 0) return servers;
  }
  // Swagger 2 has a host and a base path.
  const host = getTextMember(root, "host");
  const basePath = (getTextMember(root, "basePath") ?? "").slice(0, MAX_ADDRESS);
  const scheme = getListMember(root, "schemes").find((it) => it === "http" || it === "https") ?? "https";
  const url = host === undefined ? basePath : `${scheme}://${host.slice(0, MAX_ADDRESS)}${basePath}`;
  return url === "" ? [] : [{ url }];
}

/** Returns the address of a server, without slashes at its end. Variables without a given value have their defaults. */
export function fillServerUrl(server: unknown, values: Readonly<Record<string, string>> = {}): string {
  const variables = getOwnMember(server, "variables");
  const url = (getTextMember(server, "url") ?? "").slice(0, MAX_ADDRESS);
  const filled = url.replaceAll(/\{([^{}]*)\}/g, (written, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : getOwnMember(getOwnMember(variables, name), "default");
    return typeof value === "string" || typeof value === "number" ? String(value).slice(0, MAX_ADDRESS) : written;
  });
  return trimTrailingSlashes(filled);
}

/** Writes the servers; nothing if there is only one, without variables. */
export function writeServers(writing: PageWriter, servers: readonly unknown[]): string[] {
  const isSimple = servers.length <= 1 && getMemberEntries(servers[0], "variables").length === 0;
  if (isSimple) return [];
  const lines = servers.slice(0, MAX_SHOWN).flatMap((server) => {
    const variables = getMemberEntries(server, "variables").slice(0, MAX_SHOWN);
    const address = getTextMember(server, "url") ?? "";
    const about = { kind: "", notes: [], description: getTextMember(server, "description"), limits: "" };
    return [
      writeEntry(writing, { ...about, label: formatCode(address.slice(0, MAX_ADDRESS)) }, 0, variables.length > 0),
      ...variables.map(([name, variable]) => {
        const [values, standard] = [getListMember(variable, "enum"), getOwnMember(variable, "default")];
        const limits = [
          values.length > 0 ? `One of ${formatValues(values)}.` : "",
          standard === undefined ? "" : `Default ${formatValues([standard])}.`,
        ];
        const texts = {
          description: getTextMember(variable, "description"),
          limits: limits.filter((it) => it !== "").join(" "),
        };
        return writeEntry(writing, { label: formatCode(name), kind: "", notes: [], ...texts }, 1, false);
      }),
    ];
  });
  return ["## Servers", lines.join("\n")];
}

// The documents of a specification, and the references between them. Only own members of objects are read, and chains of references
// are limited. With the operations of a specification, their parameters, callbacks and servers.

import { isJsonObject } from "../../utils/objects";
import { trimTrailingSlashes, tryDecodeUriComponent, tryParseUrl } from "../../utils/url";
import type { FilesystemEntry } from "../specifications";
import { truncateWords } from "./format-markdown";

export type SpecificationObject = Readonly<Record<string, unknown>>;

/** A value with its document, against which its own references are resolved. */
export interface Located<Value = SpecificationObject> {
  readonly value: Value;
  readonly document: SpecificationDocument;
}

/** The root of a specification, in which the servers, the security schemes and the schemas are defined. */
export type SpecificationRoot = Located<unknown>;

/** The most references that are followed from one to the next, and the longest one that is followed. */
const MAX_CHAIN = 32;
const MAX_REFERENCE = 2000;

export class SpecificationDocument {
  /** `others` are all documents of the specification, by the names in references. */
  constructor(
    readonly root: unknown,
    readonly others: ReadonlyMap<string | null, SpecificationDocument>,
  ) {}

  /** Resolves a value in this document to the object that it is or refers to; undefined if there is none. */
  resolve(value: unknown): Located | undefined {
    let target = value;
    let document: SpecificationDocument = this;
    for (let hops = 0; hops <= MAX_CHAIN; hops++) {
      if (!isJsonObject(target)) return undefined;
      const ref = getTextMember(target, "$ref");
      if (ref === undefined) return { value: target, document };
      if (ref.length > MAX_REFERENCE) return undefined;
      const hash = ref.indexOf("#");
      const name = hash < 0 ? ref : ref.slice(0, hash);
      const other = name === "" ? document : this.others.get(name);
      if (!other) return undefined;
      document = other;
      target = document.root;
      const pointer = hash < 0 ? "" : ref.slice(hash + 1);
      for (const token of (tryDecodeUriComponent(pointer) ?? pointer).split("/").slice(1)) {
        const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
        target = Array.isArray(target) && /^\d{1,6}$/.test(key) ? target[Number(key)] : getOwnMember(target, key);
      }
    }
    return undefined;
  }
}

/** Returns the root of a specification. Its value is undefined if none of the documents is the entry. */
export function openSpecification(
  filesystem: readonly Pick<FilesystemEntry, "filename" | "isEntrypoint" | "specification">[],
): SpecificationRoot {
  const documents = new Map<string | null, SpecificationDocument>();
  for (const { filename, specification } of filesystem)
    documents.set(filename, new SpecificationDocument(specification, documents));
  const entry = filesystem.find(({ isEntrypoint }) => isEntrypoint);
  const document = documents.get(entry?.filename ?? null) ?? new SpecificationDocument(undefined, documents);
  return { value: entry?.specification, document };
}

export function getOwnMember(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function getTextMember(value: unknown, name: string): string | undefined {
  const found = getOwnMember(value, name);
  return typeof found === "string" ? found : undefined;
}

export function getListMember(value: unknown, name: string): readonly unknown[] {
  const found = getOwnMember(value, name);
  return Array.isArray(found) ? found : [];
}

/** The entries of objects. An object with very many members is read often. */
const knownEntries = new WeakMap<SpecificationObject, [string, unknown][]>();

/** Returns the entries of a member that is an object. */
export function getMemberEntries(value: unknown, name: string): readonly [string, unknown][] {
  const found = getOwnMember(value, name);
  if (!isJsonObject(found)) return [];
  const known = knownEntries.get(found) ?? Object.entries(found);
  knownEntries.set(found, known);
  return known;
}

/** Returns the schemas of a specification, by their names. */
export function getNamedSchemas({ value }: SpecificationRoot): unknown {
  return getOwnMember(getOwnMember(value, "components"), "schemas") ?? getOwnMember(value, "definitions");
}

/** Returns the name of the component that a reference leads to, as people call it: `Pod` for `io.k8s.api.core.v1.Pod`. */
export function getComponentName(ref: string): string {
  const short = ref.slice(-MAX_REFERENCE);
  const segment = short.slice(short.lastIndexOf("/") + 1);
  const name = (tryDecodeUriComponent(segment) ?? segment).replaceAll("~1", "/").replaceAll("~0", "~");
  const last = name.slice(name.lastIndexOf(".") + 1);
  return /^[A-Z]\w*$/.test(last) && /^[\w.-]+$/.test(name) ? last : name;
}

/** An operation with the path item and the specification that contain it. */
export interface SpecificationOperation extends Located {
  readonly title: string;
  readonly method: string;
  /** The path; of a webhook its name. */
  readonly path: string;
  readonly isWebhook: boolean;
  /** The path item, with the things that its operations share. */
  readonly item: SpecificationObject;
  readonly root: SpecificationRoot;
}

/** The methods that a path may have. */
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/** The members with operations: paths, and webhooks, which were an extension before 3.1. */
const PLACES = [
  ["paths", false],
  ["webhooks", true],
  ["x-webhooks", true],
] as const;

/** The longest summary that is a title. A longer one, or one of several lines, is a text. */
const MAX_TITLE = 150;

/** Returns the summary of an operation if it is short enough for a title. */
export function getSummaryTitle(operation: unknown): string | undefined {
  const summary = getTextMember(operation, "summary")?.trim();
  return summary && summary.length <= MAX_TITLE && !summary.includes("\n") ? summary : undefined;
}

/** Yields every operation, in the order of the specification; with `only` those of one path. The path of a webhook is its name. */
export function* iterateOperations(
  root: SpecificationRoot,
  only?: Pick<SpecificationOperation, "path" | "isWebhook">,
): Generator<SpecificationOperation> {
  for (const [place, isWebhook] of PLACES)
    for (const [path, given] of getMemberEntries(root.value, place)) {
      if (only && (only.path !== path || only.isWebhook !== isWebhook)) continue;
      const item = root.document.resolve(given);
      for (const [method, value] of Object.entries(item?.value ?? {})) {
        if (!METHODS.includes(method) || !isJsonObject(value)) continue;
        const fallbackTitle = isWebhook ? path.slice(0, 200) : `${method.toUpperCase()} ${path}`;
        const name =
          truncateWords(getSummaryTitle(value), 200) ?? truncateWords(getTextMember(value, "operationId"), 200);
        const title = name ?? fallbackTitle;
        yield { title, method, path, isWebhook, value, document: item!.document, item: item!.value, root };
      }
    }
}

/** Finds the operation with a method at a path. The path of a webhook is its name. */
export function findSpecificationOperation(
  root: SpecificationRoot,
  { method, path, isWebhook }: Pick<SpecificationOperation, "method" | "path" | "isWebhook">,
): SpecificationOperation | undefined {
  for (const operation of iterateOperations(root, { path, isWebhook }))
    if (operation.method === method.toLowerCase()) return operation;
  return undefined;
}

/** Lists the parameters of an operation: its own, and those of its path that it does not repeat. */
export function listParameters({ value, document, item }: Pick<SpecificationOperation, "value" | "document" | "item">) {
  const found = new Map<string, Located>();
  for (const it of [...getListMember(item, "parameters"), ...getListMember(value, "parameters")]) {
    const parameter = document.resolve(it);
    if (parameter)
      found.set(`${getTextMember(parameter.value, "in")} ${getTextMember(parameter.value, "name")}`, parameter);
  }
  return [...found.values()];
}

/** The places of parameters, with their headings and the messages that sites have for them. */
export const PARAMETER_PLACES = [
  ["path", "Path parameters", "pathParameters"],
  ["query", "Query parameters", "queryParameters"],
  ["querystring", "Query", "queryParameters"],
  ["header", "Headers", "headers"],
  ["cookie", "Cookies", "cookies"],
  ["formData", "Form", "formFields"],
] as const;

/** Returns the parameters of a place, each with its name. */
export function pickParameters(parameters: readonly Located[], place: string): [string, Located][] {
  return parameters
    .filter(({ value }) => getTextMember(value, "in") === place)
    .map((parameter) => [getTextMember(parameter.value, "name") ?? "", parameter]);
}

/** A request that the API sends to an address from another request. */
interface SpecificationCallback {
  readonly name: string;
  readonly address: string;
  readonly method: string;
  readonly call: Located;
  readonly item: SpecificationObject;
}

export function listCallbacks({ value, document }: Located): SpecificationCallback[] {
  return getMemberEntries(value, "callbacks").flatMap(([name, given]) => {
    const callback = document.resolve(given);
    return Object.entries(callback?.value ?? {}).flatMap(([address, path]) => {
      const item = callback!.document.resolve(path);
      return METHODS.flatMap((method) => {
        const value = getOwnMember(item?.value, method);
        if (!item || !isJsonObject(value)) return [];
        return [{ name, address, method, call: { value, document: item.document }, item: item.value }];
      });
    });
  });
}

/** The longest address of a server. */
export const MAX_ADDRESS = 500;
/** The most URLs that a reader chooses from. */
const MAX_URLS = 12;

/**
 * Lists the servers that apply: those of the operation, of its path, or of the specification. Anybody may write a specification,
 * so only absolute URLs of the web are called, and origins are validated before they become part of the policy of a page.
 */
export function listServers({ value, item, root }: Pick<SpecificationOperation, "value" | "item" | "root">) {
  for (const place of [value, item, root.value]) {
    const servers = getListMember(place, "servers");
    if (servers.length > 0) return servers;
  }
  // Swagger 2 has a host and a base path.
  const host = getTextMember(root.value, "host");
  const basePath = (getTextMember(root.value, "basePath") ?? "").slice(0, MAX_ADDRESS);
  const scheme = getListMember(root.value, "schemes").find((it) => it === "http" || it === "https") ?? "https";
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

/** Returns the URLs of servers, with every value that the specification lists for their variables. */
export function listServerUrls(servers: readonly unknown[]): string[] {
  const urls = new Set<string>();
  for (const server of servers.slice(0, MAX_URLS)) {
    // All combinations of the variables' values, within limits. The first has the defaults.
    let combinations: Record<string, string>[] = [{}];
    for (const [name, variable] of getMemberEntries(server, "variables").slice(0, MAX_URLS)) {
      const values = getListMember(variable, "enum").filter((it): it is string => typeof it === "string");
      const more = values
        .slice(0, MAX_URLS)
        .flatMap((value) => combinations.map((combination) => ({ ...combination, [name]: value })));
      combinations = [...combinations, ...more].slice(0, MAX_URLS * 4);
    }
    for (const values of combinations) {
      const url = fillServerUrl(server, values);
      if (urls.size < MAX_URLS && getCallableOrigin(url) !== undefined) urls.add(url);
    }
  }
  return [...urls];
}

/** The URL parser accepts `*`, `;`, `,` and quotes in a host, which have a meaning in a policy. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** Returns the origin of a URL as a source of a policy, or undefined if the URL cannot be called. */
export function getCallableOrigin(address: string): string | undefined {
  if (/[{}\s]/.test(address)) return undefined;
  const url = tryParseUrl(address);
  if (url?.username !== "" || url.password !== "") return undefined;
  return ORIGIN.test(url.origin) ? url.origin : undefined;
}

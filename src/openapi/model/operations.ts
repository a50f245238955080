// The operations of a specification: all of them, or the one with a method and a path; with their parameters and callbacks.

import { isJsonObject } from "../../utils/objects";
import {
  getListMember,
  getMemberEntries,
  getOwnMember,
  getTextMember,
  type Located,
  type SpecificationObject,
  type SpecificationRoot,
} from "./document";
import { truncateWords } from "./format-markdown";

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

export function pickParameters(parameters: readonly Located[], place: string): [string, Located][] {
  return parameters
    .filter(({ value }) => getTextMember(value, "in") === place)
    .map((parameter) => [getTextMember(parameter.value, "name") ?? "", parameter]);
}

/** A request that the API sends to an address from another request. */
export interface SpecificationCallback {
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

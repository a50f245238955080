// Finds the operations of a specification: all of them, or the one with a method and a path.

import { isJsonObject } from "../../../utils/objects";
import type { SpecificationRoot } from "./authorization";
import { truncateWords } from "./format-markdown";
import { getSummaryTitle, METHODS, type SpecificationOperation } from "./operation";
import { getMemberEntries, getOwnMember, getTextMember, type ResolveReference } from "./resolve-references";

/** The members with operations: paths, and webhooks, which were an extension before 3.1. */
const PLACES = [
  ["paths", false],
  ["webhooks", true],
  ["x-webhooks", true],
] as const;

/** Yields every operation, in the order of the specification. */
export function* iterateOperations(
  root: SpecificationRoot,
  resolve: ResolveReference,
): Generator<SpecificationOperation> {
  for (const [place, isWebhook] of PLACES)
    for (const [path, item] of getMemberEntries(root.value, place))
      yield* iteratePathOperations(root, resolve, path, item, isWebhook);
}

/** Finds the operation with a method at a path. The path of a webhook is its name. */
export function findSpecificationOperation(
  root: SpecificationRoot,
  resolve: ResolveReference,
  { method, path, isWebhook }: Pick<SpecificationOperation, "method" | "path" | "isWebhook">,
): SpecificationOperation | undefined {
  const lowerCaseMethod = method.toLowerCase();
  for (const [place, hasWebhooks] of PLACES) {
    if (hasWebhooks !== isWebhook) continue;
    const item = getOwnMember(getOwnMember(root.value, place), path);
    for (const operation of iteratePathOperations(root, resolve, path, item, isWebhook))
      if (operation.method === lowerCaseMethod) return operation;
  }
  return undefined;
}

function* iteratePathOperations(
  root: SpecificationRoot,
  resolve: ResolveReference,
  path: string,
  item: unknown,
  isWebhook: boolean,
): Generator<SpecificationOperation> {
  const found = resolve(item, root.document);
  if (!found) return;
  for (const [method, value] of Object.entries(found.value)) {
    if (!METHODS.includes(method) || !isJsonObject(value)) continue;
    const fallbackTitle = isWebhook ? path.slice(0, 200) : `${method.toUpperCase()} ${path}`;
    const name = truncateWords(getSummaryTitle(value), 200) ?? truncateWords(getTextMember(value, "operationId"), 200);
    const title = name ?? fallbackTitle;
    yield { title, method, path, isWebhook, value, document: found.document, item: found.value, root };
  }
}

// The operations of a specification: all of them, or the one with a method and a path.

import type { Root } from "./authorization";
import { METHODS, type Operation, titleIn } from "./operation";
import { isValues, member, membersIn, type Resolve, textIn } from "./pointers";
import { firstWords } from "./words";

/** Where operations are: paths, and what the API sends by itself. Before 3.1 that was an extension. */
const PLACES = [
  ["paths", false],
  ["webhooks", true],
  ["x-webhooks", true],
] as const;

/** Every operation, in the order of the specification. */
export function* operationsIn(root: Root, resolve: Resolve): Generator<Operation> {
  for (const [place, isWebhook] of PLACES)
    for (const [path, item] of membersIn(root.value, place)) yield* operationsOf(root, resolve, path, item, isWebhook);
}

/** The operation with a method at a path; of a webhook the path is its name. Undefined where there is none. */
export function operationAt(
  root: Root,
  resolve: Resolve,
  { method, path, isWebhook }: Pick<Operation, "method" | "path" | "isWebhook">,
): Operation | undefined {
  const wanted = method.toLowerCase();
  for (const [place, isThere] of PLACES) {
    if (isThere !== isWebhook) continue;
    const item = member(member(root.value, place), path);
    for (const operation of operationsOf(root, resolve, path, item, isWebhook))
      if (operation.method === wanted) return operation;
  }
  return undefined;
}

function* operationsOf(
  root: Root,
  resolve: Resolve,
  path: string,
  item: unknown,
  isWebhook: boolean,
): Generator<Operation> {
  const found = resolve(item, root.document);
  if (!found) return;
  for (const [method, value] of Object.entries(found.value)) {
    if (!METHODS.includes(method) || !isValues(value)) continue;
    const title = firstWords(titleIn(value), 200) ?? titleOf(value, method, path, isWebhook);
    yield { title, method, path, isWebhook, value, document: found.document, item: found.value, root };
  }
}

function titleOf(operation: unknown, method: string, path: string, isWebhook: boolean): string {
  const name = firstWords(textIn(operation, "operationId"), 200);
  return name ?? (isWebhook ? path.slice(0, 200) : `${method.toUpperCase()} ${path}`);
}

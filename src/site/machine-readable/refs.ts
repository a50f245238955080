// The references of a document.

import type { ContentRef, Fragment } from "../../content/document";

interface Node {
  readonly data?: unknown;
  readonly nodes?: readonly unknown[];
  readonly fragments?: readonly Fragment[];
}

/** All references, in the order of the document. */
export function* walkReferences(nodes: readonly unknown[]): Generator<ContentRef> {
  for (const node of nodes as readonly Node[]) {
    yield* walkValueReferences(node.data);
    yield* walkReferences(node.nodes ?? []);
    yield* walkReferences(node.fragments ?? []);
  }
}

/** They stand in data as `ref` and `refDark`, and as values of cells. */
function* walkValueReferences(value: unknown): Generator<ContentRef> {
  if (typeof value !== "object" || value === null) return;
  if ("kind" in value && typeof value.kind === "string" && value.kind !== "primary" && value.kind !== "secondary")
    yield value as ContentRef;
  else for (const member of Object.values(value)) yield* walkValueReferences(member);
}

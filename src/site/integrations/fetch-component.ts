// Asks integrations for their components, as the visitor. An integration that fails shows a note, and one that is slow does
// not hold the page: the reader's script asks for it later.

import { DocsError } from "../../errors";
import { BinaryResponse } from "../../operation/binary-response";
import { LruCache } from "../../utils/lru-cache";
import { omitUndefined } from "../../utils/objects";
import type { RequestContext } from "../request/request-context";
import type { SiteContext } from "../request/site-context";
import { type ElementProps, isPropsObject } from "./elements";

/** What came of asking. */
export type ComponentResult =
  | { readonly is: "element"; readonly element: ElementProps; readonly state: ElementProps }
  | { readonly is: "complete"; readonly returnValue: unknown }
  | { readonly is: "absent" }
  | { readonly is: "failed" }
  | { readonly is: "late" };

export interface ComponentRequest {
  readonly integration: string;
  readonly component: string;
  readonly props: ElementProps;
  readonly space: string;
  readonly state?: ElementProps | undefined;
  readonly action?: ElementProps | undefined;
}

/** How long a page waits for all its blocks together. */
const PAGE_WAITS_MS = 1200;
/** How long an answer is kept that may be, at most. */
const MOST_KEPT_MS = 5 * 60 * 1000;
const KEPT_BYTES = 4 * 1024 * 1024;

interface CachedComponent {
  readonly rendered: ComponentResult;
  readonly until: number;
  readonly bytes: number;
}

const componentCaches = new WeakMap<SiteContext, LruCache<CachedComponent>>();

/** Asks for a component, for as long as it takes. */
export async function fetchComponent(visit: RequestContext, question: ComponentRequest): Promise<ComponentResult> {
  const { site, callOperation } = visit;
  const { integration, component, props, space, state, action } = question;
  const known = componentCaches.get(site) ?? new LruCache<CachedComponent>(KEPT_BYTES, ({ bytes }) => bytes);
  componentCaches.set(site, known);
  const name = state || action ? undefined : JSON.stringify([integration, component, props, space]);
  const now = site.internals.kernel.store.now().getTime();
  const found = name === undefined ? undefined : known.get(name, ({ until }) => until > now);
  if (found) return found.rendered;
  const context = { type: "document" as const, spaceId: space, editable: false };
  const body = { componentId: component, props, context, ...omitUndefined({ state, action }) };
  try {
    const answer: unknown = await callOperation("renderComponentByPost", {
      params: { integrationName: integration },
      body: body as never,
    });
    if (!(answer instanceof BinaryResponse) || !(answer.body instanceof Uint8Array)) return { is: "absent" };
    const rendered = parseComponentResponse(answer.body);
    const age = Number(/max-age=(\d{1,9})/.exec(answer.headers["cache-control"] ?? "")?.[1] ?? 0) * 1000;
    if (name !== undefined && age > 0)
      known.set(name, { rendered, until: now + Math.min(age, MOST_KEPT_MS), bytes: 4 * answer.body.length + 500 });
    return rendered;
  } catch (error) {
    // The integration's own log says why. The page goes on without it.
    if (!(error instanceof DocsError)) site.internals.kernel.jobs.onError(error);
    return { is: "failed" };
  }
}

function parseComponentResponse(bytes: Uint8Array): ComponentResult {
  const answer: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (!isPropsObject(answer)) return { is: "failed" };
  if (answer.type === "complete") return { is: "complete", returnValue: answer.returnValue };
  if (!isPropsObject(answer.element)) return { is: "failed" };
  return { is: "element", element: answer.element, state: isPropsObject(answer.state) ? answer.state : {} };
}

/** Asks for several components at once; those that are not there in time are late. */
export async function fetchComponentsInTime(
  context: RequestContext,
  questions: readonly ComponentRequest[],
): Promise<ComponentResult[]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<ComponentResult>((resolve) => {
    timer = setTimeout(() => resolve({ is: "late" }), PAGE_WAITS_MS);
  });
  try {
    return await Promise.all(questions.map((question) => Promise.race([fetchComponent(context, question), late])));
  } finally {
    clearTimeout(timer);
  }
}

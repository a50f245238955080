// Fetches components from integrations on behalf of the visitor. An integration that fails shows a note, and a slow one does not
// delay the page: the script of the page fetches it later.

import { DocsError } from "../../errors";
import { BinaryResponse } from "../../operation/binary-response";
import { isJsonObject, omitUndefined } from "../../utils/objects";
import { VersionedCache } from "../../utils/versioned-cache";
import type { RequestContext } from "../request/request-context";
import type { SiteContext } from "../request/site-context";
import type { ElementProps } from "./elements";

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

/** The longest time that a component is cached, even if its integration allows more. */
const MAX_CACHE_MS = 5 * 60 * 1000;
const MAX_CACHE_BYTES = 4 * 1024 * 1024;

const componentCaches = new WeakMap<SiteContext, VersionedCache<ComponentResult>>();

/** Fetches a component, however long it takes. Only components in their initial state are cached. */
export async function fetchComponent(
  { site, callOperation }: RequestContext,
  { integration, component, props, space, state, action }: ComponentRequest,
): Promise<ComponentResult> {
  const cache = componentCaches.get(site) ?? new VersionedCache<ComponentResult>(MAX_CACHE_BYTES, 500);
  componentCaches.set(site, cache);
  const key = state || action ? undefined : JSON.stringify([integration, component, props, space]);
  const now = site.internals.kernel.store.now().getTime();
  const cached = key === undefined ? undefined : cache.get(key, [], now);
  if (cached) return cached;

  const context = { type: "document" as const, spaceId: space, editable: false };
  const body = { componentId: component, props, context, ...omitUndefined({ state, action }) };
  try {
    const response: unknown = await callOperation("renderComponentByPost", {
      params: { integrationName: integration },
      body: body as never,
    });
    if (!(response instanceof BinaryResponse) || !(response.body instanceof Uint8Array)) return { is: "absent" };
    const output: unknown = JSON.parse(new TextDecoder().decode(response.body));
    let result: ComponentResult = { is: "failed" };
    if (isJsonObject(output) && output.type === "complete")
      result = { is: "complete", returnValue: output.returnValue };
    else if (isJsonObject(output) && isJsonObject(output.element)) {
      const newState = isJsonObject(output.state) ? output.state : {};
      result = { is: "element", element: output.element, state: newState };
    }
    const maxAgeMs = Number(/max-age=(\d{1,9})/.exec(response.headers["cache-control"] ?? "")?.[1] ?? 0) * 1000;
    if (key !== undefined && maxAgeMs > 0) {
      const expiresAt = now + Math.min(maxAgeMs, MAX_CACHE_MS);
      cache.set(key, result, { expiresAt, bytes: 4 * response.body.length });
    }
    return result;
  } catch (error) {
    // The log of the integration has the cause. The rest of the page is shown.
    if (!(error instanceof DocsError)) site.internals.kernel.jobs.onError(error);
    return { is: "failed" };
  }
}

// Asks integrations for their components, as the visitor. An integration that fails shows a note, and one that is slow does
// not hold the page: the reader's script asks for it later.

import { DocsError } from "../../errors";
import { BinaryResponse } from "../../operation/binary-response";
import { LruCache } from "../../utils/lru-cache";
import { omitUndefined } from "../../utils/objects";
import type { SiteContext } from "../house";
import type { Visit } from "../visit";
import { isMembers, type Members } from "./elements";

/** What came of asking. */
export type Rendered =
  | { readonly is: "element"; readonly element: Members; readonly state: Members }
  | { readonly is: "complete"; readonly returnValue: unknown }
  | { readonly is: "absent" }
  | { readonly is: "failed" }
  | { readonly is: "late" };

export interface Question {
  readonly integration: string;
  readonly component: string;
  readonly props: Members;
  readonly space: string;
  readonly state?: Members | undefined;
  readonly action?: Members | undefined;
}

/** How long a page waits for all its blocks together. */
const PAGE_WAITS_MS = 1200;
/** How long an answer is kept that may be, at most. */
const MOST_KEPT_MS = 5 * 60 * 1000;
const KEPT_BYTES = 4 * 1024 * 1024;

interface Kept {
  readonly rendered: Rendered;
  readonly until: number;
  readonly bytes: number;
}

const kept = new WeakMap<SiteContext, LruCache<Kept>>();

/** Asks for a component, for as long as it takes. */
export async function render(visit: Visit, question: Question): Promise<Rendered> {
  const { house, ask } = visit;
  const { integration, component, props, space, state, action } = question;
  const known = kept.get(house) ?? new LruCache<Kept>(KEPT_BYTES, ({ bytes }) => bytes);
  kept.set(house, known);
  const name = state || action ? undefined : JSON.stringify([integration, component, props, space]);
  const now = house.inside.kernel.store.now().getTime();
  const found = name === undefined ? undefined : known.get(name, ({ until }) => until > now);
  if (found) return found.rendered;
  const context = { type: "document" as const, spaceId: space, editable: false };
  const body = { componentId: component, props, context, ...omitUndefined({ state, action }) };
  try {
    const answer: unknown = await ask("renderComponentByPost", {
      params: { integrationName: integration },
      body: body as never,
    });
    if (!(answer instanceof BinaryResponse) || !(answer.body instanceof Uint8Array)) return { is: "absent" };
    const rendered = readAnswer(answer.body);
    const age = Number(/max-age=(\d{1,9})/.exec(answer.headers["cache-control"] ?? "")?.[1] ?? 0) * 1000;
    if (name !== undefined && age > 0)
      known.set(name, { rendered, until: now + Math.min(age, MOST_KEPT_MS), bytes: 4 * answer.body.length + 500 });
    return rendered;
  } catch (error) {
    // The integration's own log says why. The page goes on without it.
    if (!(error instanceof DocsError)) house.inside.kernel.jobs.onError(error);
    return { is: "failed" };
  }
}

function readAnswer(bytes: Uint8Array): Rendered {
  const answer: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (!isMembers(answer)) return { is: "failed" };
  if (answer.type === "complete") return { is: "complete", returnValue: answer.returnValue };
  if (!isMembers(answer.element)) return { is: "failed" };
  return { is: "element", element: answer.element, state: isMembers(answer.state) ? answer.state : {} };
}

/** Asks for several components at once; those that are not there in time are late. */
export async function renderInTime(visit: Visit, questions: readonly Question[]): Promise<Rendered[]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Rendered>((resolve) => {
    timer = setTimeout(() => resolve({ is: "late" }), PAGE_WAITS_MS);
  });
  try {
    return await Promise.all(questions.map((question) => Promise.race([render(visit, question), late])));
  } finally {
    clearTimeout(timer);
  }
}

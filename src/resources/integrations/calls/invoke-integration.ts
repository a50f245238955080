// Calls to an integration that somebody waits for: a component to render, a request to pass on, content to compute.
// Each is made once, and recorded for those who run the integration, as events are.

import { DocsError } from "../../../errors";
import { generateId, getPartitionRef } from "../../../storage/ids";
import type { Json } from "../../../storage/storage";
import { omitUndefined } from "../../../utils/objects";
import type { EventPayload, EventRecord } from "../records";
import type { Invocation, InvocationContext, InvocationOutcome } from "./invocation";
import { recordInvocation } from "./record-invocation";
import { sendEvent } from "./send-event";

/** Calls an integration. An invalid answer counts as no answer. An integration that is too busy gives 503. */
export async function invokeAndRecord(work: InvocationContext, question: Invocation): Promise<InvocationOutcome> {
  const { integration, origin: within, body, findFault: wrong } = question;
  const { partition: owner, code } = getPartitionRef(integration.organization);
  const event = {
    eventId: generateId("call", code, work.store.random),
    ...omitUndefined({ installationId: within?.installation.id }),
    ...question.event,
  } as unknown as EventPayload;
  const asked = work.store.now();
  const came = await sendEvent(work, integration, event, within, body);
  // A call that was not made is not recorded: anybody can call, as often as they like.
  if (came.error !== undefined && came.isBusy)
    throw new DocsError("integration_busy", { headers: { "retry-after": "5" } });
  const outcome = checked(came, wrong);
  // The caller gets the answer even when it could not be recorded.
  const written = recordInvocation(work.store, owner, recordOf(question, event, outcome, asked)).catch(work.onError);
  if (work.waitUntil) work.waitUntil(written);
  else await written;
  return outcome;
}

function checked(outcome: InvocationOutcome, wrong: Invocation["findFault"]): InvocationOutcome {
  const error = outcome.answer && wrong?.(outcome.answer);
  return error === undefined ? outcome : { error, retry: "never", logs: outcome.logs };
}

function recordOf(
  { integration, origin: within }: Invocation,
  event: EventPayload,
  outcome: InvocationOutcome,
  asked: Date,
): EventRecord {
  const at = asked.toISOString();
  const { error, answer } = outcome;
  const status = answer && answer.status < 500 ? "success" : "failed";
  return {
    id: event.eventId,
    definition: integration.id,
    integration: integration.name,
    installation: within?.installation.id ?? null,
    organization: within?.installation.organization ?? integration.organization,
    createdAt: at,
    payload: withoutInput(event),
    status,
    isOpen: false,
    isCall: true,
    attempts: [{ at, ...(answer ? { status: answer.status } : { error }) }],
    logs: outcome.logs,
  };
}

/** What people typed, and what other hosts sent, goes to the integration but into no record. */
function withoutInput({ props: _, state: __, location: ___, action, request, ...rest }: EventPayload): EventPayload {
  return {
    ...rest,
    ...omitUndefined({
      action: action === undefined ? undefined : { action: (action as { readonly action: string }).action },
      request: request === undefined ? undefined : bare(request as unknown as PassedOn),
    }),
  };
}

interface PassedOn {
  readonly method: string;
  readonly url: string;
}

function bare({ method, url }: PassedOn): Json {
  return { method, url: url.replace(/[?#].*/s, "") };
}

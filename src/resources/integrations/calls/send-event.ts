// One call of an integration: an event and its environment as one signed request, to the published script or, during
// development, through the guarded fetch to its tunnel. Redirects are not followed, and the time is limited.

import { getOrganizationPartition } from "../../../storage/ids";
import { openObjects } from "../../../storage/objects";
import { describeFailedRequest } from "../../../utils/fetch-error";
import { readStream } from "../../../utils/streams";
import { trimTrailingSlashes } from "../../../utils/url";
import { createRedactor } from "../delivery/redaction";
import { deriveSigningSecret, signBody } from "../delivery/signature";
import {
  developments,
  type EventLogLine,
  type EventPayload,
  type InstallationRecord,
  type IntegrationRecord,
  integrations,
} from "../records";
import { buildEnvironment, type InvocationOrigin, type ScriptEnvironment, type SendContext } from "./environment";
import type { InvocationOutcome } from "./invocation";

/** The largest answer, in bytes. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** The longest part of the trace that is kept. */
const MAX_LINES = 200;
const MAX_LOG_CHARACTERS = 8000;

/** The current integration of an installation; undefined when it is gone. */
export async function findInstalledIntegration(
  { store }: SendContext,
  { owner, integration, definition }: Pick<InstallationRecord, "owner" | "integration" | "definition">,
): Promise<IntegrationRecord | undefined> {
  const view = await store.read(getOrganizationPartition(owner));
  const found = await integrations.get(view, integration);
  return found?.id === definition ? found : undefined;
}

/** Calls an integration with an event. `body` is the body of the request that a `fetch` event passes on. */
export async function sendEvent(
  work: SendContext,
  integration: IntegrationRecord,
  event: EventPayload,
  within?: InvocationOrigin,
  body?: Uint8Array,
): Promise<InvocationOutcome> {
  const called = await buildEnvironment(work, integration, within);
  const told = createRedactor(called.hidden);
  const outcome = await send(work, integration, called, event, within, body);
  const logs = shortened(outcome.logs.map((line) => ({ ...line, message: told(line.message) })));
  return outcome.answer ? { ...outcome, logs } : { ...outcome, error: told(outcome.error).slice(0, 1000), logs };
}

async function send(
  work: SendContext,
  integration: IntegrationRecord,
  { environment }: ScriptEnvironment,
  event: EventPayload,
  within: InvocationOrigin | undefined,
  body: Uint8Array | undefined,
): Promise<InvocationOutcome> {
  const { store, ports } = work;
  const owner = await store.read(getOrganizationPartition(integration.organization));
  const form = await formOf(event, environment, body);
  const now = store.now();
  const secret = deriveSigningSecret(ports.integrations.secrets, integration.id);
  const headers = [
    ["content-type", form.type],
    ["x-docs-signature", signBody(secret, form.bytes, now)],
  ] as const;
  const development = await developments.get(owner, integration.id);
  const organization = within?.installation.organization ?? integration.organization;
  if (development && (development.all || organization === integration.organization))
    return throughTunnel(work, development.tunnelUrl, { headers, body: form.bytes, isPassedOn: isPassedOn(event) });
  if (integration.script === null) return never("The integration has no script.");
  const script = await openObjects(store, work.objects, owner).text(integration.script);
  const request = { method: "POST", url: "https://integration.invalid/v1", headers, body: form.bytes };
  const host = { fetch: ports.fetch, now: store.now, random: store.random };
  const result = await ports.scriptRunner.run(integration.id, script, { request, env: environment }, host);
  if (!result) return { error: BUSY, retry: "long", isBusy: true, logs: [] };
  const { response, failure, logs } = result;
  const lines = logs.map((line) => ({ ...line, level: line.level === "log" ? ("info" as const) : line.level }));
  if (response) return { answer: response, logs: lines };
  return { error: failure.message, retry: retryAfter(failure.kind), logs: lines };
}

/** Whether the answer is for somebody else, who may be redirected. */
function isPassedOn({ type }: EventPayload): boolean {
  return type === "fetch" || type === "fetch_visitor_authentication";
}

const BUSY = "Many events of the integration are under way at the moment.";

const never = (error: string): InvocationOutcome => ({ error, retry: "never", logs: [] });

/** A failure of the machine is tried again. A failure that another host may have caused is tried a few times. */
function retryAfter(kind: string): "never" | "briefly" | "long" {
  if (kind === "crashed" || kind === "unavailable") return "long";
  return kind === "script_error" || kind === "timeout" || kind === "unanswered" ? "briefly" : "never";
}

/** The event as multipart/form-data. */
async function formOf(
  event: EventPayload,
  environment: object,
  body: Uint8Array | undefined,
): Promise<{ readonly type: string; readonly bytes: Uint8Array }> {
  const form = new FormData();
  form.set("event", JSON.stringify(event));
  form.set("environment", JSON.stringify(environment));
  if (body) form.set("fetch-body", new Blob([body as BlobPart]));
  const written = new Response(form);
  return { type: written.headers.get("content-type")!, bytes: new Uint8Array(await written.arrayBuffer()) };
}

async function throughTunnel(
  { ports }: SendContext,
  tunnelUrl: string,
  {
    headers,
    body,
    isPassedOn,
  }: {
    readonly headers: readonly (readonly [string, string])[];
    readonly body: Uint8Array;
    /** Whether the answer is for somebody else, who may be redirected. */
    readonly isPassedOn: boolean;
  },
): Promise<InvocationOutcome> {
  const failed = (error: string): InvocationOutcome => ({ error, retry: "long", logs: [] });
  if (!ports.fetch) return failed("This server has no way to reach other hosts.");
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), ports.integrations.tunnelTimeoutMs);
  try {
    const url = `${trimTrailingSlashes(tunnelUrl)}/v1`;
    const response = await ports.fetch(url, {
      method: "POST",
      headers: headers.map(([name, value]) => [name, value] as [string, string]),
      body: body as BodyInit,
      redirect: "manual",
      signal: limit.signal,
    });
    const isOpaque = response.type === "opaqueredirect";
    const isRedirect = isOpaque || (!isPassedOn && response.status >= 300 && response.status < 400);
    const bytes = isRedirect ? undefined : await readStream(response.body, MAX_ANSWER_BYTES);
    if (isRedirect) await response.body?.cancel();
    if (isRedirect) return failed("The receiver answered with a redirect, which is not followed.");
    if (!bytes) return failed("The receiver's answer is larger than it may be.");
    return { answer: { status: response.status, headers: [...response.headers], body: bytes }, logs: [] };
  } catch (error) {
    // The error may contain the URL, which may hold a secret. This sentence names at most the host.
    return failed(limit.signal.aborted ? "The receiver took too long." : describeFailedRequest("The receiver", error));
  } finally {
    clearTimeout(timer);
  }
}

function shortened(lines: readonly EventLogLine[]): EventLogLine[] {
  const kept: EventLogLine[] = [];
  let room = MAX_LOG_CHARACTERS;
  for (const line of lines.slice(0, MAX_LINES)) {
    if (room <= 0) break;
    kept.push({ ...line, message: line.message.slice(0, room) });
    room -= line.message.length;
  }
  return kept;
}

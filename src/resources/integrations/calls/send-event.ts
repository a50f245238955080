// Sends an event to an integration: one signed request with the event and its environment, to the published script or, during
// development, through the guarded fetch to its tunnel. Redirects are not followed, and the time is limited.

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { getOrganizationPartition } from "../../../storage/ids";
import { openObjects } from "../../../storage/objects";
import { describeFailedRequest } from "../../../utils/fetch-error";
import { readStream } from "../../../utils/streams";
import { trimTrailingSlashes } from "../../../utils/url";
import { deriveSigningSecret } from "../delivery/signature";
import {
  developments,
  type EventLogLine,
  type EventPayload,
  type InstallationRecord,
  type IntegrationRecord,
  integrations,
} from "../records";
import { buildEnvironment, type InvocationOrigin, type SendContext } from "./environment";
import type { InvocationOutcome } from "./invocation";

const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** The most lines and characters of a script's log that are recorded. */
const MAX_LOG_LINES = 200;
const MAX_LOG_CHARACTERS = 8000;
/** Shorter secrets occur in too many unrelated words to be removed from texts. */
const MIN_SECRET_LENGTH = 4;
const SECRET_MASK = "•••";

/** Returns the current integration of an installation; undefined if it was unpublished. */
export async function findInstalledIntegration(
  { store }: SendContext,
  { owner, integration: name, definition }: Pick<InstallationRecord, "owner" | "integration" | "definition">,
): Promise<IntegrationRecord | undefined> {
  const integration = await integrations.get(await store.read(getOrganizationPartition(owner)), name);
  return integration?.id === definition ? integration : undefined;
}

/** Sends an event to an integration. `requestBody` is the body of the request that a `fetch` event passes on. */
export async function sendEvent(
  context: SendContext,
  integration: IntegrationRecord,
  event: EventPayload,
  origin?: InvocationOrigin,
  requestBody?: Uint8Array,
): Promise<InvocationOutcome> {
  const { environment, hidden } = await buildEnvironment(context, integration, origin);
  // The longest first, because one may contain another.
  const secrets = hidden.filter((secret) => secret.length >= MIN_SECRET_LENGTH).toSorted((a, b) => b.length - a.length);
  /** Removes secrets from a text: the values given to the script, and user names and passwords in URLs. */
  const redact = (text: string) =>
    secrets
      .reduce((redacted, secret) => redacted.replaceAll(secret, SECRET_MASK), text)
      .replace(/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^/\s@]{1,512}@/gi, "$1");
  const outcome = await sendSigned(context, integration, environment, event, origin, requestBody);

  const logs: EventLogLine[] = [];
  let remaining = MAX_LOG_CHARACTERS;
  for (const line of outcome.logs.slice(0, MAX_LOG_LINES)) {
    if (remaining <= 0) break;
    const message = redact(line.message);
    logs.push({ ...line, message: message.slice(0, remaining) });
    remaining -= message.length;
  }
  return outcome.answer ? { ...outcome, logs } : { ...outcome, error: redact(outcome.error).slice(0, 1000), logs };
}

async function sendSigned(
  context: SendContext,
  integration: IntegrationRecord,
  environment: object,
  event: EventPayload,
  origin: InvocationOrigin | undefined,
  requestBody: Uint8Array | undefined,
): Promise<InvocationOutcome> {
  const { store, ports } = context;
  const owner = await store.read(getOrganizationPartition(integration.organization));
  const form = new FormData();
  form.set("event", JSON.stringify(event));
  form.set("environment", JSON.stringify(environment));
  if (requestBody) form.set("fetch-body", new Blob([requestBody as BlobPart]));
  const encoded = new Response(form);
  const contentType = encoded.headers.get("content-type")!;
  const body = new Uint8Array(await encoded.arrayBuffer());

  const now = store.now();
  const secret = deriveSigningSecret(ports.integrations.secrets, integration.id);
  // The signature covers the time and the body.
  const seconds = Math.floor(now.getTime() / 1000);
  const prefix = utf8ToBytes(`${seconds}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  const headers = [
    ["content-type", contentType],
    ["x-docs-signature", `t=${seconds},v1=${bytesToHex(hmac(sha256, utf8ToBytes(secret), signed))}`],
  ] as const;
  const development = await developments.get(owner, integration.id);
  const organization = origin?.installation.organization ?? integration.organization;
  if (development && (development.all || organization === integration.organization)) {
    // The response is for somebody else, who may be redirected.
    const allowsRedirect = event.type === "fetch" || event.type === "fetch_visitor_authentication";
    return sendThroughTunnel(context, development.tunnelUrl, { headers, body, allowsRedirect });
  }

  if (integration.script === null) return { error: "The integration has no script.", retry: "never", logs: [] };
  const script = await openObjects(store, context.objects, owner).text(integration.script);
  const request = { method: "POST", url: "https://integration.invalid/v1", headers, body };
  const host = { fetch: ports.fetch, now: store.now, random: store.random };
  const result = await ports.scriptRunner.run(integration.id, script, { request, env: environment }, host);
  if (!result) {
    const error = "Too many events of the integration are being processed. Try again in a moment.";
    return { error, retry: "long", isBusy: true, logs: [] };
  }
  const { response, failure } = result;
  const logs = result.logs.map((line) => ({ ...line, level: line.level === "log" ? ("info" as const) : line.level }));
  if (response) return { answer: response, logs };
  const { kind, message: error } = failure;
  // A failure of the machine is tried again. A failure that another host may have caused is tried a few times.
  if (kind === "crashed" || kind === "unavailable") return { error, retry: "long", logs };
  const isExternal = kind === "script_error" || kind === "timeout" || kind === "unanswered";
  return { error, retry: isExternal ? "briefly" : "never", logs };
}

async function sendThroughTunnel(
  { ports }: SendContext,
  tunnelUrl: string,
  {
    headers,
    body,
    allowsRedirect,
  }: {
    readonly headers: readonly (readonly [string, string])[];
    readonly body: Uint8Array;
    readonly allowsRedirect: boolean;
  },
): Promise<InvocationOutcome> {
  const fail = (error: string): InvocationOutcome => ({ error, retry: "long", logs: [] });
  if (!ports.fetch) return fail("This server can't reach other hosts.");
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
    if (isOpaque || (!allowsRedirect && response.status >= 300 && response.status < 400)) {
      await response.body?.cancel();
      return fail("The receiver returned a redirect. Redirects aren't followed.");
    }
    const bytes = await readStream(response.body, MAX_RESPONSE_BYTES);
    if (!bytes) return fail("The response of the receiver is too large.");
    return { answer: { status: response.status, headers: [...response.headers], body: bytes }, logs: [] };
  } catch (error) {
    // The error may contain the URL, which may hold a secret. This sentence names at most the host.
    return fail(
      limit.signal.aborted ? "The receiver took too long to respond." : describeFailedRequest("The receiver", error),
    );
  } finally {
    clearTimeout(timer);
  }
}

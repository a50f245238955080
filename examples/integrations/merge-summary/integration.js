// Posts a summary of each merged change request to a webhook. An event is told at least once: the receiver knows one that it
// has seen by `eventId`. While the webhook is away the event is answered with 503, and so tried again for a day.

export default {
  async fetch(request) {
    const form = await request.formData();
    const event = JSON.parse(form.get("event"));
    const environment = JSON.parse(form.get("environment"));
    if (event.type !== "change_request_merged") return new Response(null, { status: 406 });
    try {
      const summary = await summaryOf(event, environment);
      if (summary) await post(summary, environment);
      return new Response(null, { status: 200 });
    } catch (error) {
      if (!(error instanceof Away)) throw error;
      console.warn(error.message);
      return Response.json({ error: error.message }, { status: 503 });
    }
  },
};

/** Somebody is not there, and may be later. */
class Away extends Error {}

/** The time in which the API and the webhook answer; an event has ten seconds altogether. */
const PATIENCE_MS = 4000;

/** What there is to say; undefined when the change request or its space is gone meanwhile. */
async function summaryOf({ eventId, spaceId, changeRequestId, revisionId }, environment) {
  const space = `/spaces/${spaceId}`;
  const [inSpace, merged, what, history] = await Promise.all([
    read(space, environment),
    read(`${space}/change-requests/${changeRequestId}`, environment),
    read(`${space}/revisions/${revisionId}/changes`, environment),
    read(`${space}/revisions?limit=100`, environment),
  ]);
  if (!inSpace || !merged || !what) return undefined;
  // Who merged is told while theirs is among the newest hundred revisions.
  const revision = history?.items.find(({ id }) => id === revisionId);
  const subject = merged.subject || "without a subject";
  return {
    eventId,
    text: `#${merged.number} (${subject}) was merged into ${inSpace.title}: ${counted(what.counts)}.`,
    space: { id: spaceId, title: inSpace.title },
    changeRequest: { id: changeRequestId, number: merged.number, subject: merged.subject, url: merged.urls.app },
    author: merged.createdBy?.displayName,
    mergedBy: revision?.createdBy,
    mergedAt: revision?.createdAt,
    changes: what.changes.map(sentence),
  };
}

/** "1 page created, 2 pages edited". */
function counted(counts) {
  const parts = Object.entries(counts).flatMap(([kind, count]) => {
    if (count === 0) return [];
    const words = kind.split("_");
    const done = words.pop();
    return [`${count} ${words.join(" ")}${count === 1 ? "" : "s"} ${done}`];
  });
  return parts.join(", ") || "nothing changed";
}

/** "page edited: guide/start". */
function sentence({ type, page, file, reusableContent, variable }) {
  const name = page?.path ?? file?.name ?? reusableContent?.title ?? variable.name;
  return `${type.replaceAll("_", " ")}: ${name}`;
}

/** Reads from the API as the installation; undefined when it is not there. */
async function read(path, { apiEndpoint, apiTokens }) {
  const headers = { authorization: `Bearer ${apiTokens.installation}` };
  const response = await ask("The API", `${apiEndpoint}/v1${path}`, { headers });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`The API answered with ${response.status}.`);
  return response.json();
}

async function post(summary, { installation, secrets }) {
  const response = await ask("The webhook", installation.configuration.webhook_url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "idempotency-key": summary.eventId,
      "x-webhook-secret": secrets.WEBHOOK_SECRET ?? "",
    },
    body: JSON.stringify(summary),
  });
  if (!response.ok) throw new Error(`The webhook answered with ${response.status}.`);
  console.log(`The webhook took the summary of change request ${summary.changeRequest.number}.`);
}

/** Asks somebody, who may be away. */
async function ask(who, url, init) {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const response = await fetch(url, { ...init, redirect: "manual", signal }).catch(() => undefined);
  if (!response) throw new Away(`${who} could not be reached.`);
  if (response.status === 429 || response.status >= 500) throw new Away(`${who} answered with ${response.status}.`);
  return response;
}

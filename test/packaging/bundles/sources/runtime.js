// A small runtime of integrations, as bundles bring one with them: it reads the event, and calls what the integration has
// for it.

export class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.name = "HttpError";
    this.status = status;
    Error.captureStackTrace?.(this, HttpError);
  }
}

export function createIntegration({ events = {}, components = [], fetch: onFetch, ...answers }) {
  return {
    async fetch(request, _env, worker) {
      const form = await request.formData();
      const event = JSON.parse(form.get("event"));
      const environment = JSON.parse(form.get("environment"));
      const context = { event, environment, waitUntil: (work) => worker.waitUntil(work) };
      try {
        if (event.type === "fetch" && onFetch) return await onFetch(requestOf(event, form), context);
        if (event.type === "ui_render") return await render(components, event, context);
        const answer = answers[event.type];
        if (answer) return await answer(event, context);
        const handlers = [events[event.type] ?? []].flat();
        if (handlers.length === 0) return new Response("No handler", { status: 406 });
        await Promise.all(handlers.map((handle) => handle(event, context)));
        return new Response("OK");
      } catch (error) {
        console.error(error.stack);
        return Response.json({ error: error.message }, { status: error instanceof HttpError ? error.status : 500 });
      }
    },
  };
}

/** The request of a `fetch` event, which is made twice, as routers do. */
function requestOf({ request: { method, url, headers } }, form) {
  const request = new Request(url, { method, headers: new Headers(headers), body: form.get("fetch-body") });
  return new Request(new URL(url), request);
}

async function render(components, event, context) {
  const component = components.find(({ componentId }) => componentId === event.componentId);
  if (!component) throw new HttpError(404, `There is no component ${event.componentId}`);
  const before = event.state ?? component.initialState?.(event.props) ?? {};
  let element = { props: event.props, state: before, context: event.context };
  if (event.action) element = { ...element, ...(await component.action(element, event.action, context)) };
  if (element.type === "complete") return Response.json({ type: "complete", returnValue: element.returnValue });
  const { props, state } = element;
  const drawn = await component.render(element, context);
  return Response.json(
    { type: "element", element: drawn, state, props },
    { headers: { "Cache-Control": "max-age=60" } },
  );
}

/** An element of a component. */
export function h(type, props, ...children) {
  const { children: more = [], ...rest } = props ?? {};
  return { type, ...rest, children: [...more, ...children].flat().filter((child) => child !== null) };
}

export const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");

export const fromBase64url = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));

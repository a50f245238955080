// The form with which a reader calls an operation from the browser. It stays hidden until its script has been loaded.

import { html, type Markup } from "../../utils/html";
import type { ApiCall } from "./call";
import type { ApiRenderContext } from "./context";

const KEEP_LABEL = "Keep it until this tab is closed. Otherwise it is forgotten with the page.";

/**
 * Renders the form of a call. Returns undefined if no server can be called. With `ownServer`, the path of an API on the server of the
 * page, the form sends its cookies, and offers to keep a credential until the tab is closed.
 */
export function renderTryItForm(call: ApiCall, context: ApiRenderContext, ownServer?: string): Markup | undefined {
  const { fields, credentials, bodies } = call;
  const serverUrls = ownServer === undefined ? call.serverUrls : [ownServer];
  if (serverUrls.length === 0) return undefined;
  const { messages } = context;
  const id = `--try-${context.createElementNumber()}`;
  const { status, time, headers, noAnswer, sending } = messages;
  const config = JSON.stringify({
    method: call.method,
    path: call.path,
    ...(ownServer !== undefined && { isOwnServer: true }),
    says: { status, time, headers, noAnswer, sending },
  });
  const options = serverUrls.map((url) => html`<option>${url}</option>`);
  const server = html`<p><label for="${id}-s">${messages.server}</label><select id="${id}-s" data-server>${options}</select></p>`;

  const parameterFields = fields.map((field, i) => {
    const { name, in: place, kind, isRequired, values, example, separator, isList } = field;
    const fieldId = `${id}-f${i}`;
    const data = JSON.stringify({ name, in: place, between: separator, isList });
    const required = isRequired && html` <span class="note-required">${messages.required}</span>`;
    const label = html`<label for="${fieldId}"><code>${name}</code> <span class="kind">${kind}</span>${required}</label>`;
    if (values.length > 0) {
      const choices = values.map(
        (value) => html`<option${isRequired && value === example && html` selected`}>${value}</option>`,
      );
      const none = !isRequired && html`<option value="">–</option>`;
      return html`<p>${label}<select id="${fieldId}" data-field="${data}">${none}${choices}</select></p>`;
    }
    // A required field is filled in with its example; any other shows it as a placeholder.
    const sample = example !== undefined && (isRequired ? html` value="${example}"` : html` placeholder="${example}"`);
    const attributes = html` autocomplete="off" spellcheck="false" data-field="${data}"${isRequired && html` required`}`;
    return html`<p>${label}<input id="${fieldId}" type="text"${attributes}${sample}></p>`;
  });

  const credentialFields = credentials.map(({ type, name, in: place, key, prefix }, i) => {
    const fieldId = `${id}-a${i}`;
    const proof = JSON.stringify({ type, in: place, key, prefix });
    const isBasic = type === "basic";
    const label = html`<label for="${fieldId}">${isBasic ? `${name}: ${messages.user}` : name}</label>`;
    const inputType = isBasic ? "text" : "password";
    const secret = html`<input id="${fieldId}" type="${inputType}" autocomplete="off" spellcheck="false" data-secret>`;
    const passwordLabel = html`<label for="${fieldId}-p">${name}: ${messages.password}</label>`;
    const password =
      isBasic &&
      html`<p>${passwordLabel}<input id="${fieldId}-p" type="password" autocomplete="off" data-password></p>`;
    const keep = ownServer !== undefined && html`<p><label><input type="checkbox" data-keep> ${KEEP_LABEL}</label></p>`;
    const legend = html`<legend>${messages.authorization}</legend>`;
    return html`<fieldset data-proof="${proof}">${legend}<p>${label}${secret}</p>${password}${keep}</fieldset>`;
  });

  const [body] = bodies;
  const bodyFields = body?.form?.map(([name, value], i) => {
    const label = html`<label for="${id}-b${i}"><code>${name}</code></label>`;
    return html`<p>${label}<input id="${id}-b${i}" type="text" autocomplete="off" data-form="${name}" value="${value}"></p>`;
  });
  const bodyLabel =
    body && html`<label for="${id}-b">${messages.requestBody} <span class="kind">${body.type}</span></label>`;
  const bodyInput = bodyFields
    ? html`<fieldset data-type="${body!.type}"><legend>${messages.requestBody}</legend>${bodyFields}</fieldset>`
    : body &&
      html`<p>${bodyLabel}<textarea id="${id}-b" rows="8" spellcheck="false" data-body="${body.type}">
${body.text}</textarea></p>`;

  const content = [
    server,
    credentialFields,
    parameterFields,
    bodyInput,
    html`<p><button type="submit" class="button primary">${messages.send}</button></p>`,
    html`<p class="quiet">${messages.tryItHint}</p>`,
    html`<div class="result" role="status" aria-live="polite"></div>`,
  ];
  const form = html`<form hidden data-try="${config}" autocomplete="off">${content}</form>`;
  return html`<details class="try"><summary>${messages.tryIt}</summary>${form}</details>`;
}

// The form with which a reader calls an operation from the browser. Without its script it stays hidden.

import { html, type Markup } from "../../utils/html";
import type { ApiCall, CallBody, CallField } from "./api-call";
import type { ApiContext } from "./api-context";
import type { ApiCredential } from "./authorization";

/** The form of a call; undefined where there is no server that could be called. */
export function renderTryItForm(call: ApiCall, apiContext: ApiContext): Markup | undefined {
  const { serverUrls, fields, credentials, bodies } = call;
  if (serverUrls.length === 0) return undefined;
  const { messages, blockContext } = apiContext;
  const id = `--try-${blockContext.createElementNumber()}`;
  const told = { method: call.method, path: call.path, says: pickScriptMessages(apiContext) };
  return html`<details class="try"><summary>${messages.tryIt}</summary><form hidden data-try="${JSON.stringify(told)}" autocomplete="off">${renderServerField(serverUrls, id, apiContext)}${credentials.map((it, i) => renderCredentialFields(it, `${id}-a${i}`, apiContext))}${fields.map((it, i) => renderField(it, `${id}-f${i}`, apiContext))}${renderBodyField(bodies, id, apiContext)}<p><button type="submit" class="button primary">${messages.send}</button></p><p class="quiet">${messages.tryItHint}</p><div class="result" role="status" aria-live="polite"></div></form></details>`;
}

/** What the script says. */
function pickScriptMessages({ messages }: ApiContext) {
  const { status, time, headers, noAnswer, sending } = messages;
  return { status, time, headers, noAnswer, sending };
}

function renderServerField(addresses: readonly string[], id: string, { messages }: ApiContext): Markup {
  const options = addresses.map((it) => html`<option>${it}</option>`);
  return html`<p><label for="${id}-s">${messages.server}</label><select id="${id}-s" data-server>${options}</select></p>`;
}

function renderCredentialFields(proof: ApiCredential, id: string, { messages }: ApiContext): Markup {
  const told = JSON.stringify({ type: proof.type, in: proof.in, key: proof.key, prefix: proof.prefix });
  const second =
    proof.type === "basic" &&
    html`<p><label for="${id}-p">${proof.name}: ${messages.password}</label><input id="${id}-p" type="password" autocomplete="off" data-password></p>`;
  const label = proof.type === "basic" ? `${proof.name}: ${messages.user}` : proof.name;
  const type = proof.type === "basic" ? "text" : "password";
  return html`<fieldset data-proof="${told}"><legend>${messages.authorization}</legend><p><label for="${id}">${label}</label><input id="${id}" type="${type}" autocomplete="off" spellcheck="false" data-secret></p>${second}</fieldset>`;
}

function renderField(it: CallField, id: string, { messages }: ApiContext): Markup {
  const told = JSON.stringify({ name: it.name, in: it.in, between: it.separator, isList: it.isList });
  const note = html` <span class="kind">${it.kind}</span>${it.isRequired && html` <span class="note-required">${messages.required}</span>`}`;
  const label = html`<label for="${id}"><code>${it.name}</code>${note}</label>`;
  if (it.values.length > 0) {
    const options = it.values.map(
      (value) => html`<option${it.isRequired && value === it.example && html` selected`}>${value}</option>`,
    );
    const none = !it.isRequired && html`<option value="">–</option>`;
    return html`<p>${label}<select id="${id}" data-field="${told}">${none}${options}</select></p>`;
  }
  const value = it.isRequired && it.example !== undefined && html` value="${it.example}"`;
  const hint = !it.isRequired && it.example !== undefined && html` placeholder="${it.example}"`;
  return html`<p>${label}<input id="${id}" type="text" autocomplete="off" spellcheck="false" data-field="${told}"${it.isRequired && html` required`}${value}${hint}></p>`;
}

function renderBodyField(sendings: readonly CallBody[], id: string, { messages }: ApiContext): Markup | undefined {
  const [first] = sendings;
  if (!first) return undefined;
  if (first.form) {
    const rows = first.form.map(
      ([name, value], i) =>
        html`<p><label for="${id}-b${i}"><code>${name}</code></label><input id="${id}-b${i}" type="text" autocomplete="off" data-form="${name}" value="${value}"></p>`,
    );
    return html`<fieldset data-type="${first.type}"><legend>${messages.requestBody}</legend>${rows}</fieldset>`;
  }
  return html`<p><label for="${id}-b">${messages.requestBody} <span class="kind">${first.type}</span></label><textarea id="${id}-b" rows="8" spellcheck="false" data-body="${first.type}">
${first.text}</textarea></p>`;
}

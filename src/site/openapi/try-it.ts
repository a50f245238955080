// The form with which a reader calls an operation from the browser. Without its script it stays hidden.

import { html, type Markup } from "../../utils/html";
import type { Proof } from "./authorization";
import type { Call, Field, Sending } from "./call";
import type { Drawing } from "./drawing";

/** The form of a call; undefined where there is no server that could be called. */
export function tryIt(call: Call, drawing: Drawing): Markup | undefined {
  const { addresses, fields, proofs, sendings } = call;
  if (addresses.length === 0) return undefined;
  const { words, scene } = drawing;
  const id = `--try-${scene.next()}`;
  const told = { method: call.method, path: call.path, says: saidBy(drawing) };
  return html`<details class="try"><summary>${words.tryIt}</summary><form hidden data-try="${JSON.stringify(told)}" autocomplete="off">${server(addresses, id, drawing)}${proofs.map((it, i) => proofFields(it, `${id}-a${i}`, drawing))}${fields.map((it, i) => field(it, `${id}-f${i}`, drawing))}${body(sendings, id, drawing)}<p><button type="submit" class="button primary">${words.send}</button></p><p class="quiet">${words.tryItHint}</p><div class="result" role="status" aria-live="polite"></div></form></details>`;
}

/** What the script says. */
function saidBy({ words }: Drawing) {
  const { status, time, headers, noAnswer, sending } = words;
  return { status, time, headers, noAnswer, sending };
}

function server(addresses: readonly string[], id: string, { words }: Drawing): Markup {
  const options = addresses.map((it) => html`<option>${it}</option>`);
  return html`<p><label for="${id}-s">${words.server}</label><select id="${id}-s" data-server>${options}</select></p>`;
}

function proofFields(proof: Proof, id: string, { words }: Drawing): Markup {
  const told = JSON.stringify({ type: proof.type, in: proof.in, key: proof.key, prefix: proof.prefix });
  const second =
    proof.type === "basic" &&
    html`<p><label for="${id}-p">${proof.name}: ${words.password}</label><input id="${id}-p" type="password" autocomplete="off" data-password></p>`;
  const label = proof.type === "basic" ? `${proof.name}: ${words.user}` : proof.name;
  const type = proof.type === "basic" ? "text" : "password";
  return html`<fieldset data-proof="${told}"><legend>${words.authorization}</legend><p><label for="${id}">${label}</label><input id="${id}" type="${type}" autocomplete="off" spellcheck="false" data-secret></p>${second}</fieldset>`;
}

function field(it: Field, id: string, { words }: Drawing): Markup {
  const told = JSON.stringify({ name: it.name, in: it.in, between: it.between, isList: it.isList });
  const note = html` <span class="kind">${it.kind}</span>${it.isRequired && html` <span class="note-required">${words.required}</span>`}`;
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

function body(sendings: readonly Sending[], id: string, { words }: Drawing): Markup | undefined {
  const [first] = sendings;
  if (!first) return undefined;
  if (first.form) {
    const rows = first.form.map(
      ([name, value], i) =>
        html`<p><label for="${id}-b${i}"><code>${name}</code></label><input id="${id}-b${i}" type="text" autocomplete="off" data-form="${name}" value="${value}"></p>`,
    );
    return html`<fieldset data-type="${first.type}"><legend>${words.requestBody}</legend>${rows}</fieldset>`;
  }
  return html`<p><label for="${id}-b">${words.requestBody} <span class="kind">${first.type}</span></label><textarea id="${id}-b" rows="8" spellcheck="false" data-body="${first.type}">
${first.text}</textarea></p>`;
}

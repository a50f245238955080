// The elements of a component as HTML. Whoever wrote the component is not trusted: every text is escaped, every address is
// read, frames are sandboxed, and what is not known shows what is inside it.

import type { BlockOf } from "../../content/document";
import { describedBlocks } from "../../openapi/specifications/pages/descriptions";
import { html, type Markup } from "../../utils/html";
import { omitUndefined } from "../../utils/objects";
import { tryParseUrl } from "../../utils/url";
import { drawBlocks } from "../blocks/blocks";
import { code } from "../blocks/code";
import type { RenderContext } from "../scene";

export type Members = Readonly<Record<string, unknown>>;

/** What elements are drawn with. */
export interface Kit {
  readonly scene: RenderContext;
  /** The values of the component's inputs. */
  readonly state: Members;
  /** Origins that a frame must not speak for: those of the site and of the API. */
  readonly ownHosts: readonly string[];
}

/** How deep elements stand inside each other. */
const MOST_DEEP = 40;

/** The children of an element. */
export function elements(children: unknown, kit: Kit, depth = 0): Markup {
  if (depth > MOST_DEEP) return html``;
  const list = Array.isArray(children) ? children : [children];
  return html`${list.map((it) => element(it, kit, depth))}`;
}

function element(it: unknown, kit: Kit, depth: number): Markup {
  if (typeof it === "string" || typeof it === "number") return html`${it}`;
  if (Array.isArray(it)) return elements(it, kit, depth + 1);
  if (!isMembers(it)) return html``;
  const inner = () => elements(it.children, kit, depth + 1);
  switch (it.type) {
    case "text":
      return html`<p${textClass(it.style) !== "" && html` class="${textClass(it.style)}"`}>${phrases(it.children, kit, depth + 1)}</p>`;
    case "markdown":
      return drawBlocks(describedBlocks(textIn(it, "content", kit).slice(0, 50_000), 3), kit.scene);
    case "link":
      return link(it, kit, depth);
    case "button":
      return button(it, kit);
    case "image":
      return image(it, kit);
    case "hstack":
      return html`<div class="row${alignClass(it.align)}">${inner()}</div>`;
    case "vstack":
    case "box":
      return html`<div class="stack${alignClass(it.align)}">${inner()}</div>`;
    case "card":
      return card(it, kit, depth);
    case "divider":
      return html`<hr>`;
    case "input":
      return labelled(it, kit, depth);
    case "codeblock":
      return codeBlock(it, kit, depth);
    case "webframe":
      return frame(it, kit);
    case "textinput":
    case "select":
    case "switch":
    case "checkbox":
    case "radio":
      return html`<p>${input(it, kit, undefined)}</p>`;
    default:
      return html`<div class="stack">${inner()}</div>`;
  }
}

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value: given, or of the state by its name. */
export function bound(value: unknown, state: Members): unknown {
  if (!isMembers(value) || typeof value.$state !== "string") return value;
  return Object.hasOwn(state, value.$state) ? state[value.$state] : undefined;
}

function textIn(it: Members, name: string, { state }: Kit): string {
  const value = bound(it[name], state);
  return typeof value === "string" || typeof value === "number" ? String(value).slice(0, 100_000) : "";
}

const STYLES = new Set(["bold", "italic", "strikethrough"]);

function textClass(style: unknown): string {
  return typeof style === "string" && STYLES.has(style) ? `text-${style}` : "";
}

function alignClass(align: unknown): string {
  if (align === "center" || align === "end") return ` ${align}`;
  return align === "space-between" || align === "justify" ? " spread" : "";
}

/** What stands within a line. */
function phrases(children: unknown, kit: Kit, depth: number): Markup {
  if (depth > MOST_DEEP) return html``;
  const list = Array.isArray(children) ? children : [children];
  return html`${list.map((it) => {
    if (!isMembers(it)) return Array.isArray(it) ? phrases(it, kit, depth + 1) : textOf(bound(it, kit.state));
    if (it.type === "link") return link(it, kit, depth);
    if (typeof it.$state === "string") return textOf(bound(it, kit.state));
    const inner = phrases(it.children, kit, depth + 1);
    return it.style === "code"
      ? html`<code>${inner}</code>`
      : html`<span class="${textClass(it.style)}">${inner}</span>`;
  })}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** An address that may be led to. */
function webAddress(value: unknown, kit: Kit): URL | undefined {
  const text = bound(value, kit.state);
  const url = typeof text === "string" ? tryParseUrl(text) : undefined;
  return url && (url.protocol === "https:" || url.protocol === "http:" || url.protocol === "mailto:") ? url : undefined;
}

function addressIn(target: unknown, kit: Kit): URL | undefined {
  return webAddress(isMembers(target) ? target.url : target, kit);
}

function link(it: Members, kit: Kit, depth: number): Markup {
  const url = addressIn(it.target, kit) ?? openedBy(it.onPress, kit);
  const words = phrases(it.children, kit, depth + 1);
  return url ? html`<a href="${url.href}" rel="nofollow noopener">${words}</a>` : words;
}

/** The address that an action opens; undefined where it does something else. */
function openedBy(action: unknown, kit: Kit): URL | undefined {
  return isMembers(action) && action.action === "@ui.url.open" ? webAddress(action.url, kit) : undefined;
}

const BUTTONS: Readonly<Record<string, string>> = { primary: "primary", secondary: "secondary", danger: "danger" };

function button(it: Members, kit: Kit): Markup {
  const style = BUTTONS[String(it.style)] ?? "secondary";
  const label = textIn(it, "label", kit) || textIn(it, "tooltip", kit) || "…";
  const icon = typeof it.icon === "string" ? kit.scene.icon(it.icon) : undefined;
  const url = openedBy(it.onPress, kit);
  if (url) return html`<a class="button ${style}" href="${url.href}" rel="nofollow noopener">${icon}${label}</a>`;
  return pressed(it, kit, html`${icon}${label}`, `button ${style}`);
}

/** What is pressed to send an action. */
function pressed(it: Members, kit: Kit, label: Markup, classes: string): Markup {
  const confirm = isMembers(it.confirm) ? textIn(it.confirm, "text", kit) || textIn(it.confirm, "title", kit) : "";
  const isOff = bound(it.disabled, kit.state) === true || !isMembers(it.onPress);
  return html`<button type="submit" class="${classes}" name="action" value="${JSON.stringify(it.onPress ?? {})}"${confirm !== "" && html` data-confirm="${confirm}"`}${isOff && html` disabled`}>${label}</button>`;
}

function image(it: Members, kit: Kit): Markup {
  const source = bound(isMembers(it.source) ? it.source.url : it.source, kit.state);
  const url = typeof source === "string" ? tryParseUrl(source) : undefined;
  const isData = url?.protocol === "data:" && /^data:image\/(?:png|jpeg|gif|webp|avif)[;,]/i.test(url.href);
  if (!url || (!isData && url.protocol !== "https:" && url.protocol !== "http:")) return html``;
  const ratio = Number(it.aspectRatio);
  const size = Number.isFinite(ratio) && ratio > 0.05 && ratio < 20 ? Math.round(640 / ratio) : undefined;
  return html`<img class="block-image" src="${url.href}" alt="${textIn(it, "alt", kit)}" loading="lazy" decoding="async" referrerpolicy="no-referrer"${size !== undefined && html` width="640" height="${size}"`}>`;
}

function card(it: Members, kit: Kit, depth: number): Markup {
  const title = textIn(it, "title", kit);
  const hint =
    Array.isArray(it.hint) || isMembers(it.hint) ? phrases(it.hint, kit, depth + 1) : textIn(it, "hint", kit);
  const icon =
    typeof it.icon === "string"
      ? kit.scene.icon(it.icon)
      : isMembers(it.icon)
        ? element(it.icon, kit, depth + 1)
        : undefined;
  const url = openedBy(it.onPress, kit);
  const name = title === "" ? "…" : title;
  const head = url
    ? html`<a href="${url.href}" rel="nofollow noopener">${name}</a>`
    : isMembers(it.onPress)
      ? pressed(it, kit, html`${name}`, "link")
      : html`${title}`;
  const buttons = Array.isArray(it.buttons) && html`<div class="row">${elements(it.buttons, kit, depth + 1)}</div>`;
  return html`<div class="block-card stack">${(title !== "" || isMembers(it.onPress)) && html`<div class="title">${icon}${head}</div>`}${hint !== "" && html`<div class="hint-text">${hint}</div>`}${elements(it.children ?? [], kit, depth + 1)}${buttons}</div>`;
}

/** An input with its label. */
function labelled(it: Members, kit: Kit, depth: number): Markup {
  const id = `input-${kit.scene.next()}`;
  const hint =
    isMembers(it.hint) || Array.isArray(it.hint) ? phrases(it.hint, kit, depth + 1) : textIn(it, "hint", kit);
  const inner = isMembers(it.element) ? it.element : {};
  const isInput = ["textinput", "select", "switch", "checkbox", "radio"].includes(String(inner.type));
  const label = textIn(it, "label", kit);
  const drawn = isInput ? input(inner, kit, id) : element(inner, kit, depth + 1);
  return html`<div>${isInput ? html`<label for="${id}">${label}</label>` : html`<p>${label}</p>`}${drawn}${hint !== "" && html`<p class="quiet">${hint}</p>`}</div>`;
}

/** An input whose value is part of the state, by its name. */
function input(it: Members, kit: Kit, id: string | undefined): Markup {
  const name = typeof it.state === "string" ? it.state : "";
  const value =
    name === "" ? undefined : Object.hasOwn(kit.state, name) ? kit.state[name] : bound(it.initialValue, kit.state);
  const hint = textIn(it, "placeholder", kit);
  const isOff = bound(it.disabled, kit.state) === true;
  const rest = html` name="state.${name}"${id === undefined ? html` aria-label="${textIn(it, "label", kit) || hint || name}"` : html` id="${id}"`}${isOff && html` disabled`}`;
  switch (it.type) {
    case "select":
      return select(it, kit, rest, value, name);
    case "switch":
    case "checkbox":
      return html`<input type="hidden" name="bool" value="${name}"><input type="checkbox" value="true"${rest}${value === true && html` checked`}>`;
    case "radio":
      return html`<input type="radio" value="${String(it.value ?? "")}"${rest}${value === it.value && html` checked`}>`;
    default:
      return it.multiline === true
        ? html`<textarea rows="4" placeholder="${hint}"${rest}>
${textOf(value)}</textarea>`
        : html`<input type="${inputType(it.inputType)}" value="${textOf(value)}" placeholder="${hint}"${rest}>`;
  }
}

function inputType(type: unknown): string {
  return type === "email" || type === "password" || type === "number" || type === "url" ? type : "text";
}

function select(it: Members, kit: Kit, rest: Markup, value: unknown, name: string): Markup {
  const given = Array.isArray(it.options) ? it.options.slice(0, 500) : [];
  const chosen = new Set((Array.isArray(value) ? value : [value]).map(String));
  const options = given.filter(isMembers).map((option) => {
    const id = String(option.id ?? "");
    return html`<option value="${id}"${chosen.has(id) && html` selected`}>${textIn(option, "label", kit) || id}</option>`;
  });
  const many = it.multiple === true;
  return html`${many && html`<input type="hidden" name="list" value="${name}">`}<select${rest}${many && html` multiple`}>${!many && (value === undefined || value === "") && html`<option value="">${textIn(it, "placeholder", kit) || "–"}</option>`}${options}</select>`;
}

function codeBlock(it: Members, kit: Kit, depth: number): Markup {
  const text = textIn(it, "content", kit);
  const syntax =
    typeof it.syntax === "string" && /^[a-z][\w+#.-]{0,30}$/i.test(it.syntax) && it.syntax !== "mermaid"
      ? it.syntax
      : "text";
  const lines = text.split("\n").map((line) => {
    const nodes = [{ object: "text" as const, leaves: [{ object: "leaf" as const, text: line, marks: [] }] }];
    return { object: "block", type: "code-line", nodes } as BlockOf<"code-line">;
  });
  const data = { syntax, ...omitUndefined({ lineNumbers: it.lineNumbers ? true : undefined }) };
  const drawn = code({ object: "block", type: "code", data, nodes: lines } as BlockOf<"code">, kit.scene);
  const buttons = Array.isArray(it.buttons) && html`<div class="row">${elements(it.buttons, kit, depth + 1)}</div>`;
  return html`${drawn}${buttons}`;
}

/** A page of another host. Its script may speak with the component by messages, which the reader's script passes on. */
function frame(it: Members, kit: Kit): Markup {
  const url = addressIn(it.source, kit);
  if (!url || url.protocol === "mailto:" || url.username !== "") return html``;
  // A frame with scripts and our own origin could take its sandbox away.
  const isOwn = kit.ownHosts.includes(url.host);
  const sandbox = `allow-scripts allow-forms allow-popups${isOwn ? "" : " allow-same-origin"}`;
  const ratio = Number(it.aspectRatio);
  const height =
    Number.isFinite(ratio) && ratio > 0.05 && ratio < 20 ? Math.round(Math.min(1200, Math.max(60, 700 / ratio))) : 320;
  const data = isMembers(it.data)
    ? Object.fromEntries(Object.entries(it.data).map(([name, value]) => [name, bound(value, kit.state) ?? null]))
    : {};
  const buttons = Array.isArray(it.buttons) && html`<div class="row">${elements(it.buttons, kit, 1)}</div>`;
  return html`<iframe class="block-frame" src="${url.href}" title="${url.host}" height="${height}" sandbox="${sandbox}" loading="lazy" referrerpolicy="strict-origin-when-cross-origin" data-frame="${JSON.stringify(data)}"></iframe>${buttons}`;
}

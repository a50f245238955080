// The elements of a component as HTML. Whoever wrote the component is not trusted: every text is escaped, every address is
// read, frames are sandboxed, and what is not known shows what is inside it.

import type { BlockOf } from "../../content/document";
import { describedBlocks } from "../../openapi/specifications/pages/descriptions";
import { html, type Markup } from "../../utils/html";
import { omitUndefined } from "../../utils/objects";
import { tryParseUrl } from "../../utils/url";
import { renderCodeBlock } from "../blocks/code";
import { renderBlocks } from "../blocks/render-blocks";
import type { BlockContext } from "../pages/block-context";

export type ElementProps = Readonly<Record<string, unknown>>;

/** What elements are drawn with. */
export interface ElementContext {
  readonly blockContext: BlockContext;
  /** The values of the component's inputs. */
  readonly state: ElementProps;
  /** Origins that a frame must not speak for: those of the site and of the API. */
  readonly ownHosts: readonly string[];
}

/** How deep elements stand inside each other. */
const MOST_DEEP = 40;

/** The children of an element. */
export function renderElements(children: unknown, context: ElementContext, depth = 0): Markup {
  if (depth > MOST_DEEP) return html``;
  const list = Array.isArray(children) ? children : [children];
  return html`${list.map((it) => renderElement(it, context, depth))}`;
}

function renderElement(it: unknown, context: ElementContext, depth: number): Markup {
  if (typeof it === "string" || typeof it === "number") return html`${it}`;
  if (Array.isArray(it)) return renderElements(it, context, depth + 1);
  if (!isPropsObject(it)) return html``;
  const inner = () => renderElements(it.children, context, depth + 1);
  switch (it.type) {
    case "text":
      return html`<p${getTextClass(it.style) !== "" && html` class="${getTextClass(it.style)}"`}>${renderInlineElements(it.children, context, depth + 1)}</p>`;
    case "markdown":
      return renderBlocks(describedBlocks(getText(it, "content", context).slice(0, 50_000), 3), context.blockContext);
    case "link":
      return renderLink(it, context, depth);
    case "button":
      return renderButton(it, context);
    case "image":
      return renderImageElement(it, context);
    case "hstack":
      return html`<div class="row${getAlignClass(it.align)}">${inner()}</div>`;
    case "vstack":
    case "box":
      return html`<div class="stack${getAlignClass(it.align)}">${inner()}</div>`;
    case "card":
      return renderCard(it, context, depth);
    case "divider":
      return html`<hr>`;
    case "input":
      return renderLabelledInput(it, context, depth);
    case "codeblock":
      return renderCodeElement(it, context, depth);
    case "webframe":
      return renderWebFrame(it, context);
    case "textinput":
    case "select":
    case "switch":
    case "checkbox":
    case "radio":
      return html`<p>${renderInput(it, context, undefined)}</p>`;
    default:
      return html`<div class="stack">${inner()}</div>`;
  }
}

export function isPropsObject(value: unknown): value is ElementProps {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value: given, or of the state by its name. */
export function resolveStateValue(value: unknown, state: ElementProps): unknown {
  if (!isPropsObject(value) || typeof value.$state !== "string") return value;
  return Object.hasOwn(state, value.$state) ? state[value.$state] : undefined;
}

function getText(it: ElementProps, name: string, { state }: ElementContext): string {
  const value = resolveStateValue(it[name], state);
  return typeof value === "string" || typeof value === "number" ? String(value).slice(0, 100_000) : "";
}

const STYLES = new Set(["bold", "italic", "strikethrough"]);

function getTextClass(style: unknown): string {
  return typeof style === "string" && STYLES.has(style) ? `text-${style}` : "";
}

function getAlignClass(align: unknown): string {
  if (align === "center" || align === "end") return ` ${align}`;
  return align === "space-between" || align === "justify" ? " spread" : "";
}

/** What stands within a line. */
function renderInlineElements(children: unknown, context: ElementContext, depth: number): Markup {
  if (depth > MOST_DEEP) return html``;
  const list = Array.isArray(children) ? children : [children];
  return html`${list.map((it) => {
    if (!isPropsObject(it))
      return Array.isArray(it)
        ? renderInlineElements(it, context, depth + 1)
        : toText(resolveStateValue(it, context.state));
    if (it.type === "link") return renderLink(it, context, depth);
    if (typeof it.$state === "string") return toText(resolveStateValue(it, context.state));
    const inner = renderInlineElements(it.children, context, depth + 1);
    return it.style === "code"
      ? html`<code>${inner}</code>`
      : html`<span class="${getTextClass(it.style)}">${inner}</span>`;
  })}`;
}

function toText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** An address that may be led to. */
function parseLinkUrl(value: unknown, context: ElementContext): URL | undefined {
  const text = resolveStateValue(value, context.state);
  const url = typeof text === "string" ? tryParseUrl(text) : undefined;
  return url && (url.protocol === "https:" || url.protocol === "http:" || url.protocol === "mailto:") ? url : undefined;
}

function parseTargetLink(target: unknown, context: ElementContext): URL | undefined {
  return parseLinkUrl(isPropsObject(target) ? target.url : target, context);
}

function renderLink(it: ElementProps, context: ElementContext, depth: number): Markup {
  const url = parseTargetLink(it.target, context) ?? getOpenedUrl(it.onPress, context);
  const words = renderInlineElements(it.children, context, depth + 1);
  return url ? html`<a href="${url.href}" rel="nofollow noopener">${words}</a>` : words;
}

/** The address that an action opens; undefined where it does something else. */
function getOpenedUrl(action: unknown, context: ElementContext): URL | undefined {
  return isPropsObject(action) && action.action === "@ui.url.open" ? parseLinkUrl(action.url, context) : undefined;
}

const BUTTONS: Readonly<Record<string, string>> = { primary: "primary", secondary: "secondary", danger: "danger" };

function renderButton(it: ElementProps, context: ElementContext): Markup {
  const style = BUTTONS[String(it.style)] ?? "secondary";
  const label = getText(it, "label", context) || getText(it, "tooltip", context) || "…";
  const icon = typeof it.icon === "string" ? context.blockContext.renderIcon(it.icon) : undefined;
  const url = getOpenedUrl(it.onPress, context);
  if (url) return html`<a class="button ${style}" href="${url.href}" rel="nofollow noopener">${icon}${label}</a>`;
  return renderActionButton(it, context, html`${icon}${label}`, `button ${style}`);
}

/** What is pressed to send an action. */
function renderActionButton(it: ElementProps, context: ElementContext, label: Markup, classes: string): Markup {
  const confirm = isPropsObject(it.confirm)
    ? getText(it.confirm, "text", context) || getText(it.confirm, "title", context)
    : "";
  const isOff = resolveStateValue(it.disabled, context.state) === true || !isPropsObject(it.onPress);
  return html`<button type="submit" class="${classes}" name="action" value="${JSON.stringify(it.onPress ?? {})}"${confirm !== "" && html` data-confirm="${confirm}"`}${isOff && html` disabled`}>${label}</button>`;
}

function renderImageElement(it: ElementProps, context: ElementContext): Markup {
  const source = resolveStateValue(isPropsObject(it.source) ? it.source.url : it.source, context.state);
  const url = typeof source === "string" ? tryParseUrl(source) : undefined;
  const isData = url?.protocol === "data:" && /^data:image\/(?:png|jpeg|gif|webp|avif)[;,]/i.test(url.href);
  if (!url || (!isData && url.protocol !== "https:" && url.protocol !== "http:")) return html``;
  const ratio = Number(it.aspectRatio);
  const size = Number.isFinite(ratio) && ratio > 0.05 && ratio < 20 ? Math.round(640 / ratio) : undefined;
  return html`<img class="block-image" src="${url.href}" alt="${getText(it, "alt", context)}" loading="lazy" decoding="async" referrerpolicy="no-referrer"${size !== undefined && html` width="640" height="${size}"`}>`;
}

function renderCard(it: ElementProps, context: ElementContext, depth: number): Markup {
  const title = getText(it, "title", context);
  const hint =
    Array.isArray(it.hint) || isPropsObject(it.hint)
      ? renderInlineElements(it.hint, context, depth + 1)
      : getText(it, "hint", context);
  const icon =
    typeof it.icon === "string"
      ? context.blockContext.renderIcon(it.icon)
      : isPropsObject(it.icon)
        ? renderElement(it.icon, context, depth + 1)
        : undefined;
  const url = getOpenedUrl(it.onPress, context);
  const name = title === "" ? "…" : title;
  const head = url
    ? html`<a href="${url.href}" rel="nofollow noopener">${name}</a>`
    : isPropsObject(it.onPress)
      ? renderActionButton(it, context, html`${name}`, "link")
      : html`${title}`;
  const buttons =
    Array.isArray(it.buttons) && html`<div class="row">${renderElements(it.buttons, context, depth + 1)}</div>`;
  return html`<div class="block-card stack">${(title !== "" || isPropsObject(it.onPress)) && html`<div class="title">${icon}${head}</div>`}${hint !== "" && html`<div class="hint-text">${hint}</div>`}${renderElements(it.children ?? [], context, depth + 1)}${buttons}</div>`;
}

/** An input with its label. */
function renderLabelledInput(it: ElementProps, context: ElementContext, depth: number): Markup {
  const id = `input-${context.blockContext.createElementNumber()}`;
  const hint =
    isPropsObject(it.hint) || Array.isArray(it.hint)
      ? renderInlineElements(it.hint, context, depth + 1)
      : getText(it, "hint", context);
  const inner = isPropsObject(it.element) ? it.element : {};
  const isInput = ["textinput", "select", "switch", "checkbox", "radio"].includes(String(inner.type));
  const label = getText(it, "label", context);
  const drawn = isInput ? renderInput(inner, context, id) : renderElement(inner, context, depth + 1);
  return html`<div>${isInput ? html`<label for="${id}">${label}</label>` : html`<p>${label}</p>`}${drawn}${hint !== "" && html`<p class="quiet">${hint}</p>`}</div>`;
}

/** An input whose value is part of the state, by its name. */
function renderInput(it: ElementProps, context: ElementContext, id: string | undefined): Markup {
  const name = typeof it.state === "string" ? it.state : "";
  const value =
    name === ""
      ? undefined
      : Object.hasOwn(context.state, name)
        ? context.state[name]
        : resolveStateValue(it.initialValue, context.state);
  const hint = getText(it, "placeholder", context);
  const isOff = resolveStateValue(it.disabled, context.state) === true;
  const rest = html` name="state.${name}"${id === undefined ? html` aria-label="${getText(it, "label", context) || hint || name}"` : html` id="${id}"`}${isOff && html` disabled`}`;
  switch (it.type) {
    case "select":
      return renderSelect(it, context, rest, value, name);
    case "switch":
    case "checkbox":
      return html`<input type="hidden" name="bool" value="${name}"><input type="checkbox" value="true"${rest}${value === true && html` checked`}>`;
    case "radio":
      return html`<input type="radio" value="${String(it.value ?? "")}"${rest}${value === it.value && html` checked`}>`;
    default:
      return it.multiline === true
        ? html`<textarea rows="4" placeholder="${hint}"${rest}>
${toText(value)}</textarea>`
        : html`<input type="${getInputType(it.inputType)}" value="${toText(value)}" placeholder="${hint}"${rest}>`;
  }
}

function getInputType(type: unknown): string {
  return type === "email" || type === "password" || type === "number" || type === "url" ? type : "text";
}

function renderSelect(it: ElementProps, context: ElementContext, rest: Markup, value: unknown, name: string): Markup {
  const given = Array.isArray(it.options) ? it.options.slice(0, 500) : [];
  const chosen = new Set((Array.isArray(value) ? value : [value]).map(String));
  const options = given.filter(isPropsObject).map((option) => {
    const id = String(option.id ?? "");
    return html`<option value="${id}"${chosen.has(id) && html` selected`}>${getText(option, "label", context) || id}</option>`;
  });
  const many = it.multiple === true;
  return html`${many && html`<input type="hidden" name="list" value="${name}">`}<select${rest}${many && html` multiple`}>${!many && (value === undefined || value === "") && html`<option value="">${getText(it, "placeholder", context) || "–"}</option>`}${options}</select>`;
}

function renderCodeElement(it: ElementProps, context: ElementContext, depth: number): Markup {
  const text = getText(it, "content", context);
  const syntax =
    typeof it.syntax === "string" && /^[a-z][\w+#.-]{0,30}$/i.test(it.syntax) && it.syntax !== "mermaid"
      ? it.syntax
      : "text";
  const lines = text.split("\n").map((line) => {
    const nodes = [{ object: "text" as const, leaves: [{ object: "leaf" as const, text: line, marks: [] }] }];
    return { object: "block", type: "code-line", nodes } as BlockOf<"code-line">;
  });
  const data = { syntax, ...omitUndefined({ lineNumbers: it.lineNumbers ? true : undefined }) };
  const drawn = renderCodeBlock(
    { object: "block", type: "code", data, nodes: lines } as BlockOf<"code">,
    context.blockContext,
  );
  const buttons =
    Array.isArray(it.buttons) && html`<div class="row">${renderElements(it.buttons, context, depth + 1)}</div>`;
  return html`${drawn}${buttons}`;
}

/** A page of another host. Its script may speak with the component by messages, which the reader's script passes on. */
function renderWebFrame(it: ElementProps, context: ElementContext): Markup {
  const url = parseTargetLink(it.source, context);
  if (!url || url.protocol === "mailto:" || url.username !== "") return html``;
  // A frame with scripts and our own origin could take its sandbox away.
  const isOwn = context.ownHosts.includes(url.host);
  const sandbox = `allow-scripts allow-forms allow-popups${isOwn ? "" : " allow-same-origin"}`;
  const ratio = Number(it.aspectRatio);
  const height =
    Number.isFinite(ratio) && ratio > 0.05 && ratio < 20 ? Math.round(Math.min(1200, Math.max(60, 700 / ratio))) : 320;
  const data = isPropsObject(it.data)
    ? Object.fromEntries(
        Object.entries(it.data).map(([name, value]) => [name, resolveStateValue(value, context.state) ?? null]),
      )
    : {};
  const buttons = Array.isArray(it.buttons) && html`<div class="row">${renderElements(it.buttons, context, 1)}</div>`;
  return html`<iframe class="block-frame" src="${url.href}" title="${url.host}" height="${height}" sandbox="${sandbox}" loading="lazy" referrerpolicy="strict-origin-when-cross-origin" data-frame="${JSON.stringify(data)}"></iframe>${buttons}`;
}

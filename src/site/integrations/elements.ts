// The elements of a component as HTML. The author of a component is not trusted: every text is escaped, every URL is parsed,
// frames are sandboxed, and an unknown element shows its children.

import { parseDescription } from "../../openapi/model/descriptions";
import { html, type Markup } from "../../utils/html";
import { isJsonObject, omitUndefined } from "../../utils/objects";
import { tryParseUrl } from "../../utils/url";
import { renderTextAsCodeBlock } from "../blocks/code";
import { renderBlocks } from "../blocks/render-blocks";
import type { BlockRenderContext } from "../pages/block-context";

export type ElementProps = Readonly<Record<string, unknown>>;

export interface ElementContext {
  readonly blockContext: BlockRenderContext;
  /** The values of the component's inputs. */
  readonly state: ElementProps;
  /** Hosts that a frame must not share an origin with: those of the site and of the API. */
  readonly ownHosts: readonly string[];
}

/** Elements that are nested deeper are left out. */
const MAX_DEPTH = 40;
const MAX_OPTIONS = 500;
const MAX_MARKDOWN_LENGTH = 50_000;
const MAX_TEXT_LENGTH = 100_000;

const TEXT_CLASSES = new Map<unknown, string>([
  ["bold", "text-bold"],
  ["italic", "text-italic"],
  ["strikethrough", "text-strikethrough"],
]);
const BUTTON_STYLES = new Set(["primary", "secondary", "danger"]);
const INPUT_TYPES = new Set(["email", "password", "number", "url"]);

export function renderElements(children: unknown, context: ElementContext, depth = 0): Markup {
  if (depth > MAX_DEPTH) return html``;
  const list = Array.isArray(children) ? children : [children];
  return html`${list.map((it) => renderElement(it, context, depth))}`;
}

function renderElement(it: unknown, context: ElementContext, depth: number): Markup {
  if (typeof it === "string" || typeof it === "number") return html`${it}`;
  if (Array.isArray(it)) return renderElements(it, context, depth + 1);
  if (!isJsonObject(it)) return html``;
  const renderChildren = () => renderElements(it.children, context, depth + 1);
  switch (it.type) {
    case "text": {
      const className = TEXT_CLASSES.get(it.style);
      const content = renderInlineElements(it.children, context, depth + 1);
      return html`<p${className !== undefined && html` class="${className}"`}>${content}</p>`;
    }
    case "markdown": {
      const markdown = getText(it, "content", context).slice(0, MAX_MARKDOWN_LENGTH);
      return renderBlocks(parseDescription(markdown, 3), context.blockContext);
    }
    case "link":
      return renderLink(it, context, depth);
    case "button": {
      const className = `button ${BUTTON_STYLES.has(String(it.style)) ? it.style : "secondary"}`;
      const text = getText(it, "label", context) || getText(it, "tooltip", context) || "…";
      const icon = typeof it.icon === "string" ? context.blockContext.renderIcon(it.icon) : undefined;
      const label = html`${icon}${text}`;
      const url = getOpenedUrl(it.onPress, context);
      return url
        ? html`<a class="${className}" href="${url.href}" rel="nofollow noopener">${label}</a>`
        : renderActionButton(it, context, label, className);
    }
    case "image": {
      const source = resolveStateValue(isJsonObject(it.source) ? it.source.url : it.source, context.state);
      const url = typeof source === "string" ? tryParseUrl(source) : undefined;
      const isData = url?.protocol === "data:" && /^data:image\/(?:png|jpeg|gif|webp|avif)[;,]/i.test(url.href);
      if (!url || (!isData && url.protocol !== "https:" && url.protocol !== "http:")) return html``;
      const ratio = parseAspectRatio(it);
      const size = ratio !== undefined && html` width="640" height="${Math.round(640 / ratio)}"`;
      const alt = getText(it, "alt", context);
      const loading = html` loading="lazy" decoding="async" referrerpolicy="no-referrer"`;
      return html`<img class="block-image" src="${url.href}" alt="${alt}"${loading}${size}>`;
    }
    case "hstack":
    case "vstack":
    case "box": {
      let className = it.type === "hstack" ? "row" : "stack";
      if (it.align === "center" || it.align === "end") className += ` ${it.align}`;
      if (it.align === "space-between" || it.align === "justify") className += " spread";
      return html`<div class="${className}">${renderChildren()}</div>`;
    }
    case "card":
      return renderCard(it, context, depth);
    case "divider":
      return html`<hr>`;
    case "input": {
      const id = `input-${context.blockContext.createElementNumber()}`;
      const hint = renderHint(it, context, depth);
      const element = isJsonObject(it.element) ? it.element : {};
      const isInput = ["textinput", "select", "switch", "checkbox", "radio"].includes(String(element.type));
      const text = getText(it, "label", context);
      const label = isInput ? html`<label for="${id}">${text}</label>` : html`<p>${text}</p>`;
      const content = isInput ? renderInput(element, context, id) : renderElement(element, context, depth + 1);
      return html`<div>${label}${content}${hint !== "" && html`<p class="quiet">${hint}</p>`}</div>`;
    }
    case "codeblock": {
      const isSyntax =
        typeof it.syntax === "string" && /^[a-z][\w+#.-]{0,30}$/i.test(it.syntax) && it.syntax !== "mermaid";
      const options = {
        syntax: isSyntax ? String(it.syntax) : "text",
        ...omitUndefined({ lineNumbers: it.lineNumbers ? true : undefined }),
      };
      const code = renderTextAsCodeBlock(getText(it, "content", context), options, context.blockContext);
      return html`${code}${renderButtonRow(it, context, depth + 1)}`;
    }
    case "webframe":
      return renderWebFrame(it, context);
    case "textinput":
    case "select":
    case "switch":
    case "checkbox":
    case "radio":
      return html`<p>${renderInput(it, context, undefined)}</p>`;
    default:
      return html`<div class="stack">${renderChildren()}</div>`;
  }
}

/** Returns a literal value as it is, or the value of the state that `{ $state: name }` refers to. */
export function resolveStateValue(value: unknown, state: ElementProps): unknown {
  if (!isJsonObject(value) || typeof value.$state !== "string") return value;
  return Object.hasOwn(state, value.$state) ? state[value.$state] : undefined;
}

function getText(it: ElementProps, name: string, { state }: ElementContext): string {
  return formatScalar(resolveStateValue(it[name], state)).slice(0, MAX_TEXT_LENGTH);
}

/** Returns a string or a number as text, and an empty string for any other value. */
function formatScalar(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Renders elements that stand within a line. */
function renderInlineElements(children: unknown, context: ElementContext, depth: number): Markup {
  if (depth > MAX_DEPTH) return html``;
  const list = Array.isArray(children) ? children : [children];
  return html`${list.map((it) => {
    if (Array.isArray(it)) return renderInlineElements(it, context, depth + 1);
    if (isJsonObject(it) && it.type === "link") return renderLink(it, context, depth);
    if (!isJsonObject(it) || typeof it.$state === "string") return formatScalar(resolveStateValue(it, context.state));
    const inner = renderInlineElements(it.children, context, depth + 1);
    return it.style === "code"
      ? html`<code>${inner}</code>`
      : html`<span class="${TEXT_CLASSES.get(it.style) ?? ""}">${inner}</span>`;
  })}`;
}

/** Parses a URL that a link may open. Returns undefined for other schemes than http, https and mailto. */
function parseLinkUrl(value: unknown, context: ElementContext): URL | undefined {
  const text = resolveStateValue(value, context.state);
  const url = typeof text === "string" ? tryParseUrl(text) : undefined;
  return url && (url.protocol === "https:" || url.protocol === "http:" || url.protocol === "mailto:") ? url : undefined;
}

function renderLink(it: ElementProps, context: ElementContext, depth: number): Markup {
  const target = isJsonObject(it.target) ? it.target.url : it.target;
  const url = parseLinkUrl(target, context) ?? getOpenedUrl(it.onPress, context);
  const text = renderInlineElements(it.children, context, depth + 1);
  return url ? html`<a href="${url.href}" rel="nofollow noopener">${text}</a>` : text;
}

/** Returns the URL that an action opens, or undefined if it does something else. */
function getOpenedUrl(action: unknown, context: ElementContext): URL | undefined {
  return isJsonObject(action) && action.action === "@ui.url.open" ? parseLinkUrl(action.url, context) : undefined;
}

function renderActionButton(it: ElementProps, context: ElementContext, label: Markup, className: string): Markup {
  const action = JSON.stringify(it.onPress ?? {});
  const confirm = isJsonObject(it.confirm)
    ? getText(it.confirm, "text", context) || getText(it.confirm, "title", context)
    : "";
  const isDisabled = resolveStateValue(it.disabled, context.state) === true || !isJsonObject(it.onPress);
  return html`<button type="submit" class="${className}" name="action" value="${action}"${
    confirm !== "" && html` data-confirm="${confirm}"`
  }${isDisabled && html` disabled`}>${label}</button>`;
}

function parseAspectRatio(it: ElementProps): number | undefined {
  const ratio = Number(it.aspectRatio);
  return Number.isFinite(ratio) && ratio > 0.05 && ratio < 20 ? ratio : undefined;
}

/** Renders the hint of an element, which is text or inline elements. */
function renderHint(it: ElementProps, context: ElementContext, depth: number): Markup | string {
  return Array.isArray(it.hint) || isJsonObject(it.hint)
    ? renderInlineElements(it.hint, context, depth + 1)
    : getText(it, "hint", context);
}

function renderButtonRow(it: ElementProps, context: ElementContext, depth: number): Markup | false {
  return Array.isArray(it.buttons) && html`<div class="row">${renderElements(it.buttons, context, depth)}</div>`;
}

function renderCard(it: ElementProps, context: ElementContext, depth: number): Markup {
  const title = getText(it, "title", context);
  const hint = renderHint(it, context, depth);
  const icon =
    typeof it.icon === "string"
      ? context.blockContext.renderIcon(it.icon)
      : isJsonObject(it.icon)
        ? renderElement(it.icon, context, depth + 1)
        : undefined;
  const url = getOpenedUrl(it.onPress, context);
  const isAction = isJsonObject(it.onPress);
  const name = title === "" ? "…" : title;
  const heading = url
    ? html`<a href="${url.href}" rel="nofollow noopener">${name}</a>`
    : isAction
      ? renderActionButton(it, context, html`${name}`, "link")
      : html`${title}`;
  const buttons = renderButtonRow(it, context, depth + 1);
  const parts = [
    (title !== "" || isAction) && html`<div class="title">${icon}${heading}</div>`,
    hint !== "" && html`<div class="hint-text">${hint}</div>`,
    renderElements(it.children ?? [], context, depth + 1),
    buttons,
  ];
  return html`<div class="block-card stack">${parts}</div>`;
}

/** Renders an input whose value is part of the state, under its name. */
function renderInput(it: ElementProps, context: ElementContext, id: string | undefined): Markup {
  const name = typeof it.state === "string" ? it.state : "";
  const value =
    name === ""
      ? undefined
      : Object.hasOwn(context.state, name)
        ? context.state[name]
        : resolveStateValue(it.initialValue, context.state);
  const placeholder = getText(it, "placeholder", context);
  const isDisabled = resolveStateValue(it.disabled, context.state) === true;
  const label =
    id === undefined ? html` aria-label="${getText(it, "label", context) || placeholder || name}"` : html` id="${id}"`;
  const attributes = html` name="state.${name}"${label}${isDisabled && html` disabled`}`;
  switch (it.type) {
    case "select": {
      const selected = new Set((Array.isArray(value) ? value : [value]).map(String));
      const given = Array.isArray(it.options) ? it.options.slice(0, MAX_OPTIONS) : [];
      const options = given.filter(isJsonObject).map((option) => {
        const optionId = String(option.id ?? "");
        const text = getText(option, "label", context) || optionId;
        return html`<option value="${optionId}"${selected.has(optionId) && html` selected`}>${text}</option>`;
      });
      if (it.multiple === true)
        return html`<input type="hidden" name="list" value="${name}"><select${attributes} multiple>${options}</select>`;
      const none = (value === undefined || value === "") && html`<option value="">${placeholder || "–"}</option>`;
      return html`<select${attributes}>${none}${options}</select>`;
    }
    case "switch":
    case "checkbox": {
      const checkbox = html`<input type="checkbox" value="true"${attributes}${value === true && html` checked`}>`;
      return html`<input type="hidden" name="bool" value="${name}">${checkbox}`;
    }
    case "radio":
      return html`<input type="radio" value="${String(it.value ?? "")}"${attributes}${
        value === it.value && html` checked`
      }>`;
    default: {
      if (it.multiline === true)
        return html`<textarea rows="4" placeholder="${placeholder}"${attributes}>
${formatScalar(value)}</textarea>`;
      const type = INPUT_TYPES.has(it.inputType as string) ? String(it.inputType) : "text";
      return html`<input type="${type}" value="${formatScalar(value)}" placeholder="${placeholder}"${attributes}>`;
    }
  }
}

/** Renders a page of another host. The script of the page passes messages between it and the component. */
function renderWebFrame(it: ElementProps, context: ElementContext): Markup {
  const url = parseLinkUrl(isJsonObject(it.source) ? it.source.url : it.source, context);
  if (!url || url.protocol === "mailto:" || url.username !== "") return html``;
  // A frame with scripts that shares our origin could remove its own sandbox.
  const isOwnHost = context.ownHosts.includes(url.host);
  const sandbox = `allow-scripts allow-forms allow-popups${isOwnHost ? "" : " allow-same-origin"}`;
  const ratio = parseAspectRatio(it);
  const height = ratio === undefined ? 320 : Math.round(Math.min(1200, Math.max(60, 700 / ratio)));
  const data = Object.entries(isJsonObject(it.data) ? it.data : {}).map(
    ([name, value]) => [name, resolveStateValue(value, context.state) ?? null] as const,
  );
  const attributes = [
    html` src="${url.href}" title="${url.host}" height="${height}" sandbox="${sandbox}"`,
    html` loading="lazy" referrerpolicy="strict-origin-when-cross-origin"`,
    html` data-frame="${JSON.stringify(Object.fromEntries(data))}"`,
  ];
  return html`<iframe class="block-frame"${attributes}></iframe>${renderButtonRow(it, context, 1)}`;
}

// Checks the response of a component (ContentKit) before it is passed on: a tree of elements with a limited depth and size,
// without field names that mean something to JavaScript, without URLs that run code, and with named actions only.

import { tryParseJson } from "../../../utils/json";
import { FORBIDDEN_NAMES, isJsonObject, omitUndefined } from "../../../utils/objects";

const ROOT_TYPES = new Set(["block", "modal", "configuration"]);
const ELEMENT_TYPE = /^[a-z][a-z0-9-]{0,49}$/;
const URL_FIELD = /^(?:url|href|src|source|target|link|icon)$/i;
/** Fields with the action that runs when something is pressed or changed. */
const HANDLER_FIELD = /^on[A-Z]/;
/** Browsers ignore white space and control characters before and inside a scheme. */
const IGNORED_IN_SCHEME = /[\x00-\x20]/g;
const EXECUTABLE_URL = /^(?:(?:javascript|vbscript):|data:(?!image\/(?:png|jpeg|gif|webp|avif)[;,]))/i;

const MAX_DEPTH = 64;
const MAX_VALUES = 20_000;

/** The limits of a value, and whether its fields may be actions. */
interface JsonBounds {
  readonly depth: number;
  readonly values: number;
  readonly hasHandlers: boolean;
}

const ELEMENT_BOUNDS: JsonBounds = { depth: MAX_DEPTH, values: MAX_VALUES, hasHandlers: true };

/** Returns the response of a component with its known members; undefined if it is invalid. */
export function checkComponentResponse(text: string): object | undefined {
  const response = tryParseJson(text);
  if (!isJsonObject(response) || !isSafeJson(response)) return undefined;
  if (response.type === "complete") return omitUndefined({ type: response.type, returnValue: response.returnValue });
  const { type, element, state = {}, props = {} } = response;
  if (type !== "element" || !isJsonObject(element) || !ROOT_TYPES.has(element.type as string)) return undefined;
  const { children, controls = [] } = element;
  if (!areElements(children) || !Array.isArray(controls) || !controls.every(isJsonObject)) return undefined;
  return isJsonObject(state) && isJsonObject(props) ? { type, element, state, props } : undefined;
}

/** Returns true for a list of elements and texts, and of lists of them. */
function areElements(children: unknown): boolean {
  if (!Array.isArray(children)) return false;
  return children.every((child) => {
    if (child === null || typeof child === "string") return true;
    if (Array.isArray(child)) return areElements(child);
    if (!isJsonObject(child) || typeof child.type !== "string" || !ELEMENT_TYPE.test(child.type)) return false;
    return !Array.isArray(child.children) || areElements(child.children);
  });
}

/**
 * Returns true if a value is within the limits, without field names that mean something to JavaScript and without URLs that run
 * code. It does not recurse, because the sender chooses the depth.
 */
export function isSafeJson(root: unknown, bounds = ELEMENT_BOUNDS): boolean {
  const stack: [value: unknown, depth: number, name: string][] = [[root, 0, ""]];
  let count = 0;
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [value, depth, name] = next;
    if (++count > bounds.values || depth > bounds.depth) return false;
    if (typeof value === "string" && URL_FIELD.test(name) && EXECUTABLE_URL.test(value.replace(IGNORED_IN_SCHEME, "")))
      return false;
    if (bounds.hasHandlers && HANDLER_FIELD.test(name)) {
      // An action has a name: of the component, or of the client.
      if (!isJsonObject(value) || typeof value.action !== "string") return false;
    }
    if (typeof value !== "object" || value === null) continue;
    for (const [member, child] of Object.entries(value)) {
      if (FORBIDDEN_NAMES.has(member)) return false;
      stack.push([child, depth + 1, Array.isArray(value) ? name : member]);
    }
  }
  return true;
}

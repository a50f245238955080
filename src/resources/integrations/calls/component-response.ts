// Checks the answer of a component before it is passed on: a tree of elements with a limited depth and size, without
// field names that mean something to JavaScript, without URLs that run code, and with named actions only.

const ROOTS = new Set(["block", "modal", "configuration"]);
const TYPE = /^[a-z][a-z0-9-]{0,49}$/;
const UNUSABLE = new Set(["__proto__", "constructor", "prototype"]);
/** Fields that hold URLs. */
const ADDRESS = /^(?:url|href|src|source|target|link|icon)$/i;
/** Fields that say what happens when something is pressed or changed. */
const HANDLER = /^on[A-Z]/;
/** Browsers ignore white space and control characters before and inside a scheme. */
const SKIPPED = /[\x00-\x20]/g;
const RUNS = /^(?:(?:javascript|vbscript):|data:(?!image\/(?:png|jpeg|gif|webp|avif)[;,]))/i;

const MAX_DEPTH = 64;
const MAX_VALUES = 20_000;

/** The answer of a component; undefined when it is not valid. */
export function checkComponentResponse(text: string): object | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(answer) || !isSafeJson(answer)) return undefined;
  if (answer.type === "complete") return keep(answer, ["type", "returnValue"]);
  if (answer.type !== "element" || !isRoot(answer.element)) return undefined;
  if (!isMembers(answer.state) || !isMembers(answer.props)) return undefined;
  return keep({ state: {}, props: {}, ...answer }, ["type", "element", "state", "props"]);
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isMembers(value: unknown): boolean {
  return value === undefined || isObject(value);
}

function keep(answer: Members, names: readonly string[]): object {
  return Object.fromEntries(names.filter((name) => answer[name] !== undefined).map((name) => [name, answer[name]]));
}

function isRoot(element: unknown): boolean {
  if (!isObject(element) || !ROOTS.has(element.type as string)) return false;
  const { children, controls = [] } = element;
  return areElements(children) && Array.isArray(controls) && controls.every(isObject);
}

/** Below the root there are elements, texts, and lists of them. */
function areElements(children: unknown): boolean {
  if (!Array.isArray(children)) return false;
  return children.every((child) => {
    if (child === null || typeof child === "string") return true;
    if (Array.isArray(child)) return areElements(child);
    if (!isObject(child) || typeof child.type !== "string" || !TYPE.test(child.type)) return false;
    return !Array.isArray(child.children) || areElements(child.children);
  });
}

/** How deep and large a value may be, and whether its fields are actions. */
interface Bounds {
  readonly depth: number;
  readonly values: number;
  readonly hasHandlers: boolean;
}

const ELEMENTS: Bounds = { depth: MAX_DEPTH, values: MAX_VALUES, hasHandlers: true };

/**
 * Whether a value is within the limits, without field names that mean something to JavaScript and without URLs that run
 * code. It does not recurse, because the sender chooses the depth.
 */
export function isSafeJson(root: unknown, most = ELEMENTS): boolean {
  const ahead: [value: unknown, depth: number, name: string][] = [[root, 0, ""]];
  let seen = 0;
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    const [value, depth, name] = next;
    if (++seen > most.values || depth > most.depth) return false;
    if (typeof value === "string" && ADDRESS.test(name) && RUNS.test(value.replace(SKIPPED, ""))) return false;
    if (most.hasHandlers && HANDLER.test(name) && !isAction(value)) return false;
    if (typeof value !== "object" || value === null) continue;
    for (const [member, inside] of Object.entries(value)) {
      if (UNUSABLE.has(member)) return false;
      ahead.push([inside, depth + 1, Array.isArray(value) ? name : member]);
    }
  }
  return true;
}

/** An action has a name: of the component, or of the client. */
function isAction(value: unknown): boolean {
  return isObject(value) && typeof value.action === "string";
}

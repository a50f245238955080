// console: what a script says goes into the trace of its event.

import { ask } from "./host.js";

const MOST_CHARACTERS = 8192;
const MOST_ENTRIES = 50;
const DEEPEST = 4;

/** Takes down a line. */
function line(level, values) {
  const message = values.map((value) => (typeof value === "string" ? value : shown(value))).join(" ");
  ask("log", { level, message: message.slice(0, MOST_CHARACTERS) });
}

export const console = {
  debug: (...values) => line("debug", values),
  log: (...values) => line("log", values),
  info: (...values) => line("info", values),
  warn: (...values) => line("warn", values),
  error: (...values) => line("error", values),
  trace: (...values) => line("debug", values),
  assert: (isTrue, ...values) => {
    if (!isTrue) line("error", ["Assertion failed:", ...values]);
  },
};

/** A value as a person reads it; whatever a getter or a proxy throws is part of that. */
export function shown(value, depth = 0, above = []) {
  try {
    return shownOf(value, depth, above);
  } catch {
    return "[cannot be shown]";
  }
}

function shownOf(value, depth, above) {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `[function ${value.name || "without a name"}]`;
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Error) return errorOf(value);
  if (above.includes(value)) return "[circular]";
  if (depth >= DEEPEST) return "[…]";
  const inside = (one) => shown(one, depth + 1, [...above, value]);
  if (Array.isArray(value)) return `[${few(value.slice(0, MOST_ENTRIES + 1).map(inside))}]`;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Map) return `Map ${shown(Object.fromEntries([...value].slice(0, MOST_ENTRIES)), depth, above)}`;
  if (value instanceof Set) return `Set ${shown([...value].slice(0, MOST_ENTRIES), depth, above)}`;
  const names = Object.keys(value).slice(0, MOST_ENTRIES + 1);
  const kind = value.constructor?.name;
  const prefix = kind === undefined || kind === "Object" ? "" : `${kind} `;
  return `${prefix}{${few(names.map((name) => `${name}: ${inside(value[name])}`))}}`;
}

/** The stack begins with the name and the message as they were said, unless a script has set another. */
function errorOf(error) {
  const title = `${error.name}: ${error.message}`;
  const stack = `${error.stack ?? ""}`;
  return stack.includes(error.message) ? stack : `${title}\n${stack}`.trim();
}

function few(texts) {
  return [...texts.slice(0, MOST_ENTRIES), ...(texts.length > MOST_ENTRIES ? ["…"] : [])].join(", ");
}

// structuredClone, for what the language itself has.

import { DOMException } from "./exceptions.js";

const errors = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

export function structuredClone(value) {
  return cloned(value, new Map());
}

function cloned(value, known) {
  if (typeof value === "function" || typeof value === "symbol") throw uncloneable(typeof value);
  if (typeof value !== "object" || value === null) return value;
  if (!known.has(value)) fill(value, known);
  return known.get(value);
}

/** Clones an object; what holds others is known before they are cloned, so that circles close. */
function fill(value, known) {
  const keep = (clone) => {
    known.set(value, clone);
    return clone;
  };
  if (value instanceof Date) keep(new Date(value.getTime()));
  else if (value instanceof RegExp) keep(new RegExp(value.source, value.flags));
  else if (value instanceof ArrayBuffer) keep(value.slice());
  else if (ArrayBuffer.isView(value)) keep(viewLike(value, cloned(value.buffer, known)));
  else if (value instanceof Boolean || value instanceof Number || value instanceof String)
    keep(Object(value.valueOf()));
  else if (value instanceof Map) {
    const clone = keep(new Map());
    for (const [name, one] of [...value]) clone.set(cloned(name, known), cloned(one, known));
  } else if (value instanceof Set) {
    const clone = keep(new Set());
    for (const one of [...value]) clone.add(cloned(one, known));
  } else if (value instanceof Error) fillError(value, keep, known);
  else if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef)
    throw uncloneable(value.constructor.name);
  else {
    const clone = keep(Array.isArray(value) ? new Array(value.length) : {});
    for (const name of Object.keys(value)) clone[name] = cloned(value[name], known);
  }
}

function fillError(value, keep, known) {
  const clone = keep(new (errors[value.name] ?? Error)(value.message));
  Object.defineProperty(clone, "stack", { value: value.stack, writable: true, configurable: true });
  if (Object.hasOwn(value, "cause")) clone.cause = cloned(value.cause, known);
}

function viewLike(view, buffer) {
  const length = view instanceof DataView ? view.byteLength : view.length;
  return new view.constructor(buffer, view.byteOffset, length);
}

function uncloneable(kind) {
  return new DOMException(`A ${kind} cannot be cloned.`, "DataCloneError");
}

// References inside a specification, followed to what they stand for. Only members that are really there are looked at, and
// a reference that leads to another one is followed only so far.

import type { FilesystemEntry } from "../read";

/** An object of a specification. */
export type Values = Readonly<Record<string, unknown>>;

/** A value with the document that it stands in: what its own references begin at. */
export interface Placed<Value = Values> {
  readonly value: Value;
  readonly document: string | null;
}

/** The most references that are followed from one to the next, and the longest one that is followed. */
const MAX_CHAIN = 32;
const MAX_REFERENCE = 2000;

/** Whether a value is an object with members. */
export function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member that is really there. */
export function member(value: unknown, name: string): unknown {
  return isValues(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A member that is a text. */
export function textIn(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === "string" ? found : undefined;
}

/** The items of a member that is a list. */
export function listIn(value: unknown, name: string): readonly unknown[] {
  const found = member(value, name);
  return Array.isArray(found) ? found : [];
}

/** Members that were listed: an object with very many is looked at often. */
const listed = new WeakMap<Values, [string, unknown][]>();

/** The members of a member that is an object. */
export function membersIn(value: unknown, name: string): readonly [string, unknown][] {
  const found = member(value, name);
  if (!isValues(found)) return [];
  const known = listed.get(found) ?? Object.entries(found);
  listed.set(found, known);
  return known;
}

/** Follows the references of a specification. */
export type Resolve = (value: unknown, document: string | null) => Placed | undefined;

export function resolverOf(filesystem: readonly FilesystemEntry[]): Resolve {
  const documents = new Map(filesystem.map(({ filename, specification }) => [filename, specification]));

  return function resolve(value, document) {
    let [at, inside] = [value, document];
    for (let hops = 0; hops <= MAX_CHAIN; hops++) {
      if (!isValues(at)) return undefined;
      const ref = textIn(at, "$ref");
      if (ref === undefined) return { value: at, document: inside };
      if (ref.length > MAX_REFERENCE) return undefined;
      const hash = ref.indexOf("#");
      const name = hash < 0 ? ref : ref.slice(0, hash);
      if (name !== "") inside = name;
      if (!documents.has(inside)) return undefined;
      at = pointed(documents.get(inside), hash < 0 ? "" : ref.slice(hash + 1));
    }
    return undefined;
  };
}

/** What a pointer leads to. */
function pointed(value: unknown, pointer: string): unknown {
  let at = value;
  for (const part of decoded(pointer).split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    at = Array.isArray(at) && /^\d{1,6}$/.test(name) ? at[Number(name)] : member(at, name);
  }
  return at;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The last name of a reference: what people call what it stands for. `io.k8s.api.core.v1.Pod` is called `Pod`. */
export function nameOfReference(ref: string): string {
  const short = ref.slice(-MAX_REFERENCE);
  const name = decoded(short.slice(short.lastIndexOf("/") + 1))
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
  const last = name.slice(name.lastIndexOf(".") + 1);
  return /^[A-Z]\w*$/.test(last) && /^[\w.-]+$/.test(name) ? last : name;
}

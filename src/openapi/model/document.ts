// The documents of a specification, and the references between them. Only own members of objects are read, and chains of references
// are limited.

import { isJsonObject } from "../../utils/objects";
import { tryDecodeUriComponent } from "../../utils/url";
import type { FilesystemEntry } from "../specifications";

export type SpecificationObject = Readonly<Record<string, unknown>>;

/** A value with its document, against which its own references are resolved. */
export interface Located<Value = SpecificationObject> {
  readonly value: Value;
  readonly document: SpecificationDocument;
}

/** The root of a specification, in which the servers, the security schemes and the schemas are defined. */
export type SpecificationRoot = Located<unknown>;

/** The most references that are followed from one to the next, and the longest one that is followed. */
const MAX_CHAIN = 32;
const MAX_REFERENCE = 2000;

export class SpecificationDocument {
  /** `others` are all documents of the specification, by the names in references. */
  constructor(
    readonly root: unknown,
    readonly others: ReadonlyMap<string | null, SpecificationDocument>,
  ) {}

  /** Resolves a value in this document to the object that it is or refers to; undefined if there is none. */
  resolve(value: unknown): Located | undefined {
    let target = value;
    let document: SpecificationDocument = this;
    for (let hops = 0; hops <= MAX_CHAIN; hops++) {
      if (!isJsonObject(target)) return undefined;
      const ref = getTextMember(target, "$ref");
      if (ref === undefined) return { value: target, document };
      if (ref.length > MAX_REFERENCE) return undefined;
      const hash = ref.indexOf("#");
      const name = hash < 0 ? ref : ref.slice(0, hash);
      const other = name === "" ? document : this.others.get(name);
      if (!other) return undefined;
      document = other;
      target = document.root;
      const pointer = hash < 0 ? "" : ref.slice(hash + 1);
      for (const token of (tryDecodeUriComponent(pointer) ?? pointer).split("/").slice(1)) {
        const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
        target = Array.isArray(target) && /^\d{1,6}$/.test(key) ? target[Number(key)] : getOwnMember(target, key);
      }
    }
    return undefined;
  }
}

/** Returns the root of a specification. Its value is undefined if none of the documents is the entry. */
export function openSpecification(
  filesystem: readonly Pick<FilesystemEntry, "filename" | "isEntrypoint" | "specification">[],
): SpecificationRoot {
  const documents = new Map<string | null, SpecificationDocument>();
  for (const { filename, specification } of filesystem)
    documents.set(filename, new SpecificationDocument(specification, documents));
  const entry = filesystem.find(({ isEntrypoint }) => isEntrypoint);
  const document = documents.get(entry?.filename ?? null) ?? new SpecificationDocument(undefined, documents);
  return { value: entry?.specification, document };
}

export function getOwnMember(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function getTextMember(value: unknown, name: string): string | undefined {
  const found = getOwnMember(value, name);
  return typeof found === "string" ? found : undefined;
}

export function getListMember(value: unknown, name: string): readonly unknown[] {
  const found = getOwnMember(value, name);
  return Array.isArray(found) ? found : [];
}

/** The entries of objects. An object with very many members is read often. */
const knownEntries = new WeakMap<SpecificationObject, [string, unknown][]>();

/** Returns the entries of a member that is an object. */
export function getMemberEntries(value: unknown, name: string): readonly [string, unknown][] {
  const found = getOwnMember(value, name);
  if (!isJsonObject(found)) return [];
  const known = knownEntries.get(found) ?? Object.entries(found);
  knownEntries.set(found, known);
  return known;
}

export function getNamedSchemas({ value }: SpecificationRoot): unknown {
  return getOwnMember(getOwnMember(value, "components"), "schemas") ?? getOwnMember(value, "definitions");
}

/** Returns the name of the component that a reference leads to, as people call it: `Pod` for `io.k8s.api.core.v1.Pod`. */
export function getComponentName(ref: string): string {
  const short = ref.slice(-MAX_REFERENCE);
  const segment = short.slice(short.lastIndexOf("/") + 1);
  const name = (tryDecodeUriComponent(segment) ?? segment).replaceAll("~1", "/").replaceAll("~0", "~");
  const last = name.slice(name.lastIndexOf(".") + 1);
  return /^[A-Z]\w*$/.test(last) && /^[\w.-]+$/.test(name) ? last : name;
}

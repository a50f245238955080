// A specification read whole: its own document and all that it refers to, each once, whatever refers to what.
//
// What comes of it is a list of documents in the form that OpenAPI parsers know as a filesystem: one is the entry, each
// has the name that the `$ref`s of the others have for it. A relative name means another document in another folder, so
// the references are rewritten to names that hold for all of them.

import { omitUndefined } from "../../utils/objects";
import { addressOf, nameFrom } from "./addresses";
import { type Fetched, fetchDocument, type Validators, type Way } from "./fetching";
import { MAX_DOCUMENT_BYTES, MAX_DOCUMENTS, MAX_HOPS, MAX_TOTAL_BYTES } from "./limits";
import { type Format, parseInSteps } from "./parse";
import { externalHolders, splitReference } from "./references";
import { SpecificationRefused } from "./refused";

/** Where a specification comes from. */
export type Source = { readonly url: string } | { readonly text: string };

/** A document of a specification. */
export interface FilesystemEntry {
  readonly dir: "./";
  readonly isEntrypoint: boolean;
  /** What the references of the others call it; null: a specification without an address, which none can refer to. */
  readonly filename: string | null;
  /** The names of the documents that it refers to. */
  readonly references: readonly string[];
  readonly specification: unknown;
}

/** What was asked for where, to be asked again whether it has changed. */
export type KnownDocument = Validators & { readonly url: string };

/** A specification with all that it refers to. */
export interface Specification {
  /** The text of the specification itself, as it came. */
  readonly text: string;
  readonly format: Format;
  readonly filesystem: readonly FilesystemEntry[];
  /** Every document that was fetched, if each of them can be asked for again by its state. */
  readonly known: readonly KnownDocument[] | undefined;
}

/** A document that is still to be read. */
interface Waiting {
  readonly address: string;
  readonly name: string;
  readonly hops: number;
}

/** Does what is long step by step, with turns for others in between. */
export type InTurns = <Result>(steps: Generator<void, Result>) => Promise<Result>;

/** Reads a specification. `ahead` holds documents that were fetched already. Throws `SpecificationRefused`. */
export async function readWhole(
  source: Source,
  way: Way | undefined,
  inTurns: InTurns,
  ahead: ReadonlyMap<string, Fetched> = new Map(),
): Promise<Specification> {
  const known: KnownDocument[] = [];
  const names = new Map<string, string>();
  const waiting: Waiting[] = [];
  const filesystem: FilesystemEntry[] = [];
  let room = MAX_TOTAL_BYTES;
  let entry: string | undefined;

  async function get(address: string): Promise<Fetched> {
    if (!way) throw new SpecificationRefused("FETCH_ERROR", "This server has no way to reach other hosts.");
    const fetched = ahead.get(address) ?? (await fetchDocument(way, address))!;
    const { etag, lastModified } = fetched;
    known.push({ url: address, ...omitUndefined({ etag, lastModified: lastModified ? lastModified : undefined }) });
    room -= fetched.bytes;
    if (room < 0)
      throw new SpecificationRefused(
        "FETCH_ERROR",
        `The specification has more than ${MAX_TOTAL_BYTES} bytes with what it refers to.`,
      );
    return fetched;
  }

  /** The name of the document at an address, which is read if it is new. */
  function nameOf(address: string, hops: number): string {
    const given = names.get(address);
    if (given !== undefined) return given;
    if (filesystem.length + waiting.length + 1 >= MAX_DOCUMENTS || hops > MAX_HOPS)
      throw new SpecificationRefused("PARSE_ERROR", "The specification refers to too many other documents.");
    const name = nameFrom(entry, address);
    names.set(address, name);
    waiting.push({ address, name, hops });
    return name;
  }

  /** Adds a document, with its references rewritten to the names that hold for all of them. */
  async function add(
    value: unknown,
    { name, base, hops }: { name: string | null; base: string | undefined; hops: number },
  ): Promise<void> {
    const references = new Set<string>();
    for (const holder of await inTurns(externalHolders(value, name ?? "The specification"))) {
      const { document, fragment } = splitReference(holder.$ref);
      const address = addressOf(document, base);
      if (address === undefined) continue;
      const other = nameOf(address, hops + 1);
      if (other !== name) references.add(other);
      holder.$ref = other === name ? fragment || "#" : `${other}${fragment}`;
    }
    const isEntrypoint = filesystem.length === 0;
    filesystem.push({ dir: "./", isEntrypoint, filename: name, references: [...references], specification: value });
  }

  const first = "url" in source ? await get(source.url) : { text: source.text, url: undefined };
  if (first.text.length > MAX_DOCUMENT_BYTES)
    throw new SpecificationRefused("PARSE_ERROR", `The specification has more than ${MAX_DOCUMENT_BYTES} characters.`);
  const { value, format } = await inTurns(parseInSteps(first.text, "The specification"));
  checkIsSpecification(value);
  entry = first.url === undefined ? undefined : addressOf(first.url, undefined);
  // Its query is not part of the name: it may be what opens it.
  const name = entry === undefined ? null : nameFrom(entry, entry.replace(/\?.*/s, "")) || "openapi";
  if (entry !== undefined && name !== null) names.set(entry, name);
  await add(value, { name, base: entry, hops: 0 });
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { text, url } = await get(next.address);
    // It may refer to itself by the address at which it was finally found.
    if (!names.has(url)) names.set(url, next.name);
    const parsed = await inTurns(parseInSteps(text, next.name));
    await add(parsed.value, { name: next.name, base: url, hops: next.hops });
  }
  const canAskAgain = known.every(({ etag, lastModified }) => etag !== undefined || lastModified !== undefined);
  return { text: first.text, format, filesystem, known: canAskAgain && known.length > 0 ? known : undefined };
}

/** Refuses what is no specification of a version that is known. */
function checkIsSpecification(value: unknown): void {
  const { openapi, swagger } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const isKnown = /^3(\.\d+){0,2}(-[\w.]+)?$/.test(String(openapi)) || /^2(\.0)?$/.test(String(swagger));
  if (!isKnown)
    throw new SpecificationRefused(
      "PARSE_ERROR",
      "Expected a specification: a member `openapi` that says 3.0, 3.1 or later, or `swagger` that says 2.0.",
    );
}

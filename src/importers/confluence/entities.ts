// The XML export of a space: one file of objects that name each other by id. Drafts, older versions and what was deleted are
// passed over.

import type { SkippedItem } from "../../content/book/book";
import { MAX_TEXT_LENGTH } from "../../content/markdown/limits";
import type { Zip } from "../archive/zip";
import { elementAt, elementsIn, textIn } from "../xml/elements";
import { topElements, type XmlElement } from "../xml/xml";
import type { Attachment, Space, SpacePage } from "./space";
import { storageNodes } from "./storage";

/** The file that says everything. */
export const ENTITIES = "entities.xml";

/** The longest body that is read. It has more markup than the page it becomes. */
const MAX_BODY = MAX_TEXT_LENGTH * 3;
/** The longest name that is kept, because many things may repeat it. */
const MAX_NAME = 255;

interface Found {
  readonly pages: Map<string, XmlPage>;
  readonly bodies: Map<string, string>;
  readonly attached: Map<string, XmlAttachment>;
  readonly users: Map<string, string>;
  home: string | undefined;
}

interface XmlPage {
  readonly title: string;
  readonly parent: string | undefined;
  readonly place: number;
  readonly isPost: boolean;
}

interface XmlAttachment {
  readonly name: string;
  readonly page: string;
  readonly version: string;
}

/** Reads the space of an export; what is in it and not taken goes to `skipped`. */
export function readEntities(
  zip: Zip,
  folder: string,
  skipped: SkippedItem[],
): Space & { readonly users: ReadonlyMap<string, string> } {
  const found: Found = { pages: new Map(), bodies: new Map(), attached: new Map(), users: new Map(), home: undefined };
  const bytes = zip.read(folder + ENTITIES);
  for (const object of topElements(new TextDecoder().decode(bytes ?? new Uint8Array()))) note(object, found, skipped);
  const pages = Array.from(found.pages, ([id, page]): SpacePage => {
    const body = found.bodies.get(id) ?? "";
    return { id, ...page, body: (addresses) => storageNodes(body, addresses) };
  });
  const attachments = Array.from(found.attached).flatMap(([id, { name, page, version }]): Attachment[] => {
    if (!found.pages.has(page)) return [];
    const source = `${folder}attachments/${page}/${id}/${version}`;
    return [{ page, name, source, read: () => zip.read(source) }];
  });
  return { home: found.home, pages, attachments, users: found.users };
}

function note(object: XmlElement, found: Found, skipped: SkippedItem[]): void {
  const id = idOf(object);
  switch (object.attributes.get("class")) {
    case "Page":
    case "BlogPost":
      if (isCurrent(object)) found.pages.set(id, pageOf(object));
      break;
    case "BodyContent": {
      const page = referred(object, "content");
      const isStorage = (property(object, "bodyType") ?? "2") === "2";
      if (page === undefined) break;
      const body = property(object, "body") ?? "";
      if (!isStorage) skipped.push({ resource: `Text ${id}`, reason: "It is in the old wiki markup of Confluence." });
      else if (body.length > MAX_BODY) skipped.push({ resource: `Text ${id}`, reason: "It is too long for a page." });
      else found.bodies.set(page, body);
      break;
    }
    case "Attachment":
      if (isCurrent(object)) noteAttachment(id, object, found);
      break;
    case "Space":
      found.home ??= referred(object, "homePage");
      break;
    case "ConfluenceUserImpl":
      found.users.set(id, (property(object, "name") ?? property(object, "lowerName") ?? "").slice(0, MAX_NAME));
  }
}

function pageOf(object: XmlElement): XmlPage {
  return {
    title: property(object, "title")?.trim().slice(0, MAX_NAME) || "Untitled",
    parent: referred(object, "parent"),
    place: placeIn(property(object, "position")),
    isPost: object.attributes.get("class") === "BlogPost",
  };
}

function placeIn(written: string | undefined): number {
  return /^-?\d{1,15}$/.test(written ?? "") ? Number(written) : Number.MAX_SAFE_INTEGER;
}

function noteAttachment(id: string, object: XmlElement, { attached }: Found): void {
  const page = referred(object, "containerContent") ?? referred(object, "content");
  const name = (property(object, "title") ?? property(object, "fileName"))?.slice(0, MAX_NAME);
  const version = property(object, "version") ?? property(object, "attachmentVersion") ?? "1";
  if (page !== undefined && name !== undefined && /^\d{1,9}$/.test(version)) attached.set(id, { name, page, version });
}

/** Neither a draft nor deleted, nor an older version of another. */
function isCurrent(object: XmlElement): boolean {
  const status = property(object, "contentStatus");
  const isOld =
    referred(object, "originalVersion") !== undefined || property(object, "originalVersionId") !== undefined;
  return (status === undefined || status === "current") && !isOld;
}

function idOf(element: XmlElement): string {
  return textIn(elementAt(element, "id")).trim();
}

function named(object: XmlElement, name: string): XmlElement | undefined {
  return elementsIn(object, "property").find(({ attributes }) => attributes.get("name") === name);
}

/** The text of a property; undefined when it says nothing. */
function property(object: XmlElement, name: string): string | undefined {
  const found = named(object, name);
  return found && (textIn(found) || undefined);
}

/** The id of an object that a property names. */
function referred(object: XmlElement, name: string): string | undefined {
  const found = named(object, name);
  return found && (idOf(found) || undefined);
}

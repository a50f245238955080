// Reads the XML export of a space: one file of objects that name each other by id. Drafts, older versions and deleted objects are
// passed over.

import type { SkippedItem } from "../../content/book/book";
import { MAX_TEXT_LENGTH } from "../../content/markdown/limits";
import type { ZipArchive } from "../archive/zip";
import { getElement, getXmlText, iterateElements, listElements, type XmlElement } from "../xml/parse-xml";
import type { Attachment, ConfluenceSpace, SpacePage } from "./space";
import { convertStorageFormat } from "./storage-format";

export const ENTITIES_FILE = "entities.xml";

/** The longest body that is read. It has more markup than the page that it becomes. */
const MAX_BODY_LENGTH = MAX_TEXT_LENGTH * 3;
/** The longest name, because many things may repeat it. */
const MAX_NAME_LENGTH = 255;

type XmlPage = Pick<SpacePage, "title" | "parent" | "position" | "isPost">;

interface XmlAttachment {
  readonly name: string;
  readonly page: string;
  readonly version: string;
}

/** Reads the space of an export. Objects that are not taken are added to `skipped`. */
export function readXmlExport(
  zip: ZipArchive,
  folder: string,
  skipped: SkippedItem[],
): ConfluenceSpace & { readonly users: ReadonlyMap<string, string> } {
  const reader = new ObjectReader(skipped);
  const bytes = zip.read(folder + ENTITIES_FILE) ?? new Uint8Array();
  for (const object of iterateElements(new TextDecoder().decode(bytes), 1)) reader.read(object);
  const { home, users } = reader;
  const pages = Array.from(reader.pages, ([id, page]): SpacePage => {
    const body = reader.bodies.get(id) ?? "";
    return { id, ...page, createBody: (links) => convertStorageFormat(body, links) };
  });
  const attachments = Array.from(reader.attachments).flatMap(([id, { name, page, version }]): Attachment[] => {
    if (!reader.pages.has(page)) return [];
    const source = `${folder}attachments/${page}/${id}/${version}`;
    return [{ page, name, source, read: () => zip.read(source) }];
  });
  return { home, pages, attachments, users };
}

class ObjectReader {
  readonly pages = new Map<string, XmlPage>();
  /** Bodies by the id of their page. */
  readonly bodies = new Map<string, string>();
  readonly attachments = new Map<string, XmlAttachment>();
  readonly users = new Map<string, string>();
  home: string | undefined;

  constructor(readonly skipped: SkippedItem[]) {}

  read(object: XmlElement): void {
    const id = getXmlText(getElement(object, "id")).trim();
    switch (object.attributes.get("class")) {
      case "Page":
      case "BlogPost": {
        if (!isCurrent(object)) break;
        const position = getPropertyText(object, "position") ?? "";
        this.pages.set(id, {
          title: getPropertyText(object, "title")?.trim().slice(0, MAX_NAME_LENGTH) || "Untitled",
          parent: getReferencedId(object, "parent"),
          position: /^-?\d{1,15}$/.test(position) ? Number(position) : Number.MAX_SAFE_INTEGER,
          isPost: object.attributes.get("class") === "BlogPost",
        });
        break;
      }
      case "BodyContent": {
        const page = getReferencedId(object, "content");
        if (page === undefined) break;
        const isStorageFormat = (getPropertyText(object, "bodyType") ?? "2") === "2";
        const body = getPropertyText(object, "body") ?? "";
        const resource = `Text ${id}`;
        if (!isStorageFormat)
          this.skipped.push({ resource, reason: "It is written in Confluence wiki markup, which isn't supported." });
        else if (body.length > MAX_BODY_LENGTH) this.skipped.push({ resource, reason: "It is too long for a page." });
        else this.bodies.set(page, body);
        break;
      }
      case "Attachment": {
        if (!isCurrent(object)) break;
        const page = getReferencedId(object, "containerContent") ?? getReferencedId(object, "content");
        const name = getPropertyText(object, "title") ?? getPropertyText(object, "fileName");
        const version = getPropertyText(object, "version") ?? getPropertyText(object, "attachmentVersion") ?? "1";
        if (page !== undefined && name !== undefined && /^\d{1,9}$/.test(version))
          this.attachments.set(id, { name: name.slice(0, MAX_NAME_LENGTH), page, version });
        break;
      }
      case "Space":
        this.home ??= getReferencedId(object, "homePage");
        break;
      case "ConfluenceUserImpl": {
        const name = getPropertyText(object, "name") ?? getPropertyText(object, "lowerName") ?? "";
        this.users.set(id, name.slice(0, MAX_NAME_LENGTH));
      }
    }
  }
}

/** Returns whether an object is neither a draft nor deleted, nor an older version of another. */
function isCurrent(object: XmlElement): boolean {
  const status = getPropertyText(object, "contentStatus");
  const isOldVersion =
    getReferencedId(object, "originalVersion") !== undefined ||
    getPropertyText(object, "originalVersionId") !== undefined;
  return (status === undefined || status === "current") && !isOldVersion;
}

function findProperty(object: XmlElement, name: string): XmlElement | undefined {
  return listElements(object, "property").find(({ attributes }) => attributes.get("name") === name);
}

function getPropertyText(object: XmlElement, name: string): string | undefined {
  const property = findProperty(object, name);
  return property && (getXmlText(property) || undefined);
}

function getReferencedId(object: XmlElement, name: string): string | undefined {
  const property = findProperty(object, name);
  return property && (getXmlText(getElement(property, "id")).trim() || undefined);
}

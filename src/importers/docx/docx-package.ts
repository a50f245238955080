// The parts of a Word document: XML files in an archive, and the relationships by which they name each other.

import { resolveRelativePath } from "../archive/paths";
import type { ZipArchive } from "../archive/zip";
import { ImportError } from "../errors";
import { listElements, parseXml, type XmlElement, type XmlNamespaces } from "../xml/parse-xml";

/** A relationship by which a part names something. */
export interface Relationship {
  readonly type: string;
  /** The path of another part, or a URL if it is outside. */
  readonly target: string;
  readonly isOutside: boolean;
}

export interface DocxPart {
  readonly root: XmlElement;
  readonly relationships: ReadonlyMap<string, Relationship>;
}

const SCHEMAS = "http://schemas.openxmlformats.org";
/** The same names in the strict form of the standard. */
const STRICT_SCHEMAS = "http://purl.oclc.org/ooxml";

const NAMESPACES: XmlNamespaces = new Map([
  [`${SCHEMAS}/wordprocessingml/2006/main`, "w"],
  [`${STRICT_SCHEMAS}/wordprocessingml/main`, "w"],
  [`${SCHEMAS}/officeDocument/2006/relationships`, "r"],
  [`${STRICT_SCHEMAS}/officeDocument/relationships`, "r"],
  [`${SCHEMAS}/drawingml/2006/main`, "a"],
  [`${STRICT_SCHEMAS}/drawingml/main`, "a"],
  [`${SCHEMAS}/drawingml/2006/wordprocessingDrawing`, "wp"],
  [`${STRICT_SCHEMAS}/drawingml/wordprocessingDrawing`, "wp"],
  [`${SCHEMAS}/officeDocument/2006/math`, "m"],
  [`${STRICT_SCHEMAS}/officeDocument/math`, "m"],
  [`${SCHEMAS}/markup-compatibility/2006`, "mc"],
  ["urn:schemas-microsoft-com:vml", "v"],
  [`${SCHEMAS}/package/2006/relationships`, "rel"],
  ["http://purl.org/dc/elements/1.1/", "dc"],
]);

/** The most bytes of a part: ten times the size that the longest page needs. */
const MAX_PART_BYTES = 24 * 1024 * 1024;

/** The parts of a Word document. */
export class DocxPackage {
  constructor(readonly zip: ZipArchive) {}

  /** Returns the main part, or undefined if the archive is not a Word document. */
  getMainPart(): DocxPart | undefined {
    const relationships = [...this.#readRelationships("").values()];
    const path = relationships.find(({ type }) => type === "officeDocument")?.target;
    return this.getPart(path ?? "word/document.xml");
  }

  getPart(path: string): DocxPart | undefined {
    const root = this.#readXml(path);
    return root && { root, relationships: this.#readRelationships(path) };
  }

  /** Returns the part that another one names by a type of relationship. */
  findRelatedPart(part: DocxPart, type: string): DocxPart | undefined {
    const relationship = [...part.relationships.values()].find((it) => it.type === type && !it.isOutside);
    return relationship && this.getPart(relationship.target);
  }

  #readXml(path: string): XmlElement | undefined {
    const bytes = this.zip.read(path);
    if (bytes && bytes.length > MAX_PART_BYTES) throw new ImportError("The document is too long to import.");
    return bytes && parseXml(new TextDecoder().decode(bytes), NAMESPACES);
  }

  #readRelationships(path: string): Map<string, Relationship> {
    const slash = path.lastIndexOf("/") + 1;
    const root = this.#readXml(`${path.slice(0, slash)}_rels/${path.slice(slash)}.rels`);
    const relationships = new Map<string, Relationship>();
    for (const { attributes } of listElements(root, "rel:Relationship")) {
      const isOutside = attributes.get("TargetMode") === "External";
      const written = attributes.get("Target") ?? "";
      const target = isOutside ? written : resolveRelativePath(path, written);
      const type = (attributes.get("Type") ?? "").replace(/^.*\//, "");
      if (target !== undefined) relationships.set(attributes.get("Id") ?? "", { type, target, isOutside });
    }
    return relationships;
  }
}

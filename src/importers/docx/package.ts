// The parts of a Word document: XML files in an archive, and the relationships by which they name each other.

import { pathFrom } from "../archive/paths";
import type { Zip } from "../archive/zip";
import { ImportError } from "../errors";
import { elementsIn } from "../xml/elements";
import { type Namespaces, parseXml, type XmlElement } from "../xml/xml";

/** What a part names by a relationship. */
export interface Relationship {
  readonly type: string;
  /** The path of another part, or an address when it is outside. */
  readonly target: string;
  readonly isOutside: boolean;
}

/** A part, and what it names. */
export interface Part {
  readonly root: XmlElement;
  readonly relationships: ReadonlyMap<string, Relationship>;
}

const SCHEMAS = "http://schemas.openxmlformats.org";
/** The same names in the strict form of the standard. */
const STRICT = "http://purl.oclc.org/ooxml";

const NAMESPACES: Namespaces = new Map([
  [`${SCHEMAS}/wordprocessingml/2006/main`, "w"],
  [`${STRICT}/wordprocessingml/main`, "w"],
  [`${SCHEMAS}/officeDocument/2006/relationships`, "r"],
  [`${STRICT}/officeDocument/relationships`, "r"],
  [`${SCHEMAS}/drawingml/2006/main`, "a"],
  [`${STRICT}/drawingml/main`, "a"],
  [`${SCHEMAS}/drawingml/2006/wordprocessingDrawing`, "wp"],
  [`${STRICT}/drawingml/wordprocessingDrawing`, "wp"],
  [`${SCHEMAS}/officeDocument/2006/math`, "m"],
  [`${STRICT}/officeDocument/math`, "m"],
  [`${SCHEMAS}/markup-compatibility/2006`, "mc"],
  ["urn:schemas-microsoft-com:vml", "v"],
  [`${SCHEMAS}/package/2006/relationships`, "rel"],
  ["http://purl.org/dc/elements/1.1/", "dc"],
]);

/** The most bytes of a part: ten times what the longest page needs. */
const MAX_PART = 24 * 1024 * 1024;

/** A Word document as its parts. */
export class Package {
  constructor(readonly zip: Zip) {}

  /** The part that everything begins with; undefined when the archive is no Word document. */
  main(): Part | undefined {
    const relationships = [...this.#relationshipsOf("").values()];
    const found = relationships.find(({ type }) => type === "officeDocument")?.target;
    return this.part(found ?? "word/document.xml");
  }

  /** A part by its path. */
  part(path: string): Part | undefined {
    const root = this.#xml(path);
    return root && { root, relationships: this.#relationshipsOf(path) };
  }

  /** A part that another one names by the type of its relationship. */
  related(part: Part, type: string): Part | undefined {
    const found = [...part.relationships.values()].find((it) => it.type === type && !it.isOutside);
    return found && this.part(found.target);
  }

  #xml(path: string): XmlElement | undefined {
    const bytes = this.zip.read(path);
    if (bytes && bytes.length > MAX_PART) throw new ImportError("The document is longer than can be imported.");
    return bytes && parseXml(new TextDecoder().decode(bytes), NAMESPACES);
  }

  #relationshipsOf(path: string): Map<string, Relationship> {
    const slash = path.lastIndexOf("/") + 1;
    const root = this.#xml(`${path.slice(0, slash)}_rels/${path.slice(slash)}.rels`);
    const found = new Map<string, Relationship>();
    for (const { attributes } of elementsIn(root, "rel:Relationship")) {
      const isOutside = attributes.get("TargetMode") === "External";
      const written = attributes.get("Target") ?? "";
      const target = isOutside ? written : pathFrom(path, written);
      const type = (attributes.get("Type") ?? "").replace(/^.*\//, "");
      if (target !== undefined) found.set(attributes.get("Id") ?? "", { type, target, isOutside });
    }
    return found;
  }
}

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ImportError } from "../../src/importers/errors";
import { getElement, getXmlText, iterateElements, parseXml } from "../../src/importers/xml/parse-xml";
import { runs } from "../support/test-length";

describe("XML", () => {
  test("XML elements, attributes, text, CDATA and references are read", () => {
    const root = parseXml(
      `<?xml version="1.0"?><!-- c --><a b='1' c="&lt;2&#x41;"><d/>x &amp; y<![CDATA[<z>&amp;]]><e>f</e></a>`,
    );
    expect(root?.attributes).toEqual(
      new Map([
        ["b", "1"],
        ["c", "<2A"],
      ]),
    );
    expect(root?.children.map((it) => (typeof it === "string" ? it : it.name))).toEqual(["d", "x & y<z>&amp;", "e"]);
    expect(getXmlText(getElement(root, "e"))).toBe("f");
  });

  test("names are resolved by namespace, whatever the prefix", () => {
    const known = new Map([["urn:w", "w"]]);
    const root = parseXml('<x:a xmlns:x="urn:w" x:b="1" b="2"><c xmlns="urn:w"/><y:d xmlns:y="urn:y"/></x:a>', known);
    expect(root?.name).toBe("w:a");
    expect(root?.attributes.get("w:b")).toBe("1");
    expect(root?.attributes.get("b")).toBe("2");
    expect(root?.children.map((it) => (typeof it === "string" ? it : it.name))).toEqual(["w:c", "y:d"]);
  });

  test("elements are produced one by one", () => {
    const seen = Array.from(iterateElements("<r><a>1</a> <b><a>2</a></b><c/></r>", 1), ({ name, children }) => [
      name,
      children.length,
    ]);
    expect(seen).toEqual([
      ["a", 1],
      ["b", 1],
      ["c", 0],
    ]);
  });

  test("XML that is not well-formed is read as far as possible", () => {
    expect(getXmlText(parseXml("<a>b<c>d</a>e"))).toBe("bd");
    expect(getXmlText(parseXml("<a>b</x>c"))).toBe("bc");
    expect(getXmlText(parseXml("<a>1 < 2 <b"))).toBe("1 < 2 ");
    expect(parseXml("text")).toBeUndefined();
    expect(parseXml("<r>a<b>c</r>")?.children).toEqual(["a", { name: "b", attributes: new Map(), children: ["c"] }]);
  });

  test("S40: XML with declarations of any kind is rejected", () => {
    for (const text of [
      "<!DOCTYPE a><a/>",
      '<a><!ENTITY b "c"></a>',
      "<!doctype a [<!ENTITY % b SYSTEM 'http://x'>%b;]><a/>",
    ])
      expect(() => parseXml(text)).toThrow(ImportError);
  });

  test("S39: XML that is too deep is rejected", () => {
    expect(() => parseXml("<a>".repeat(100_000))).toThrow(ImportError);
  });

  test.each(["<a b='", "<a/>", "<a ", "</a>", "<![CDATA[", "&a;", "<a>x</a>", "<a xmlns:b='c'/>", "<", "<!--"])(
    "S39: half a megabyte of %j is parsed in time",
    (piece) => {
      const inside = piece.repeat(Math.ceil(500_000 / piece.length));
      expect(parseXml(`<r>${inside}</r>`)?.name).toBe("r");
    },
    20_000,
  );

  test("S7: attributes with names of JavaScript properties are ordinary attributes", () => {
    const root = parseXml('<a __proto__="x" constructor="y"/>');
    expect(root?.attributes.get("__proto__")).toBe("x");
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test("no XML makes the parser throw anything else", () => {
    const piece = fc.constantFrom(
      "<",
      ">",
      "/",
      "a",
      "=",
      '"',
      "'",
      "&",
      ";",
      "<a>",
      "</a>",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "<?",
      "?>",
      " ",
      "xmlns",
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }).map((it) => it.join("")),
        (text) => {
          try {
            parseXml(text);
          } catch (error) {
            expect(error).toBeInstanceOf(ImportError);
          }
        },
      ),
      { numRuns: runs(1000) },
    );
  });
});

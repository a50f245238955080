// Reading specifications: three versions of the format, two ways to write them, and documents that refer to each other.

import fc from "fast-check";
import { dump } from "js-yaml";
import { describe, expect, test } from "vitest";
import { getDocumentName, readSpecification } from "../../../src/openapi/specifications";
import { SpecificationError } from "../../../src/openapi/specifications/errors";
import { webOf } from "./web";
import { BOOKS_2, BOOKS_30, BOOKS_31, CIRCLE, largeSpecification } from "./written";

const nowhere = { fetch: undefined, milliseconds: 1000 };
const read = async (text: string) => (await readSpecification({ text }, nowhere))!;

async function refusal(reading: Promise<unknown>): Promise<SpecificationError> {
  const error = await reading.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(SpecificationError);
  return error as SpecificationError;
}

describe("reading a text", () => {
  test.each([
    ["OpenAPI 3.1 in YAML", BOOKS_31, "yaml", "3.1.0"],
    ["OpenAPI 3.0 in JSON", BOOKS_30, "json", "3.0.3"],
    ["Swagger 2 in YAML", BOOKS_2, "yaml", "2.0"],
  ])("%s is read as one document", async (_, text, format, version) => {
    const found = await read(text);
    expect(found.format).toBe(format);
    expect(found.text).toBe(text);
    expect(found.known).toBeUndefined();
    const [only, ...others] = found.filesystem;
    expect(others).toEqual([]);
    expect(only).toMatchObject({ dir: "./", isEntrypoint: true, filename: null, references: [] });
    const { openapi, swagger } = only!.specification as Record<string, string>;
    expect(openapi ?? swagger).toBe(version);
  });

  test("the same document in YAML and in JSON is equal", async () => {
    const value = largeSpecification(5);
    const [json] = (await read(JSON.stringify(value))).filesystem;
    const [yaml] = (await read(dump(value))).filesystem;
    expect(yaml!.specification).toEqual(value);
    expect(yaml).toEqual(json);
  });

  test("a byte order mark, merge keys and numeric versions are read", async () => {
    const text = `\ufeffopenapi: 3.0\ninfo: &i { title: A }\nx-info: { <<: *i, more: true }\npaths: {}\n`;
    expect((await read(text)).filesystem[0]!.specification).toMatchObject({ "x-info": { title: "A", more: true } });
  });

  test.each([
    ["nothing that is known", "just words", "Expected a specification"],
    ["a list", "[]", "Expected a specification"],
    ["another version", '{"swagger":"1.2"}', "Expected a specification"],
    ["broken YAML", "openapi: [3.1", "neither JSON nor YAML"],
    ["two documents", "openapi: 3.1.0\n---\nopenapi: 3.1.0\n", "neither JSON nor YAML"],
    ["a tag that makes things", "openapi: 3.1.0\nx: !!js/function 'x'\n", "neither JSON nor YAML"],
  ])("%s is rejected", async (_, text, words) => {
    const { code, message } = await refusal(read(text));
    expect(code).toBe("PARSE_ERROR");
    expect(message).toContain(words);
  });

  test("relative references without a base URL and references with other schemes are left as they are", async () => {
    const text = JSON.stringify({
      openapi: "3.1.0",
      paths: { "/a": { $ref: "./a.yaml" }, "/b": { $ref: "file:///etc/passwd" }, "/c": { $ref: "ftp://x/y" } },
    });
    const { fetch, asked } = webOf({});
    const found = await readSpecification({ text }, { fetch, milliseconds: 1000 });
    expect(found!.filesystem[0]!.specification).toEqual(JSON.parse(text));
    expect(asked).toEqual([]);
  });

  test("any text is either read or rejected, without side effects", async () => {
    const pieces = fc.constantFrom(
      "openapi: 3.1.0\n",
      "paths:\n",
      "  a: &a",
      "*a",
      "{",
      "[",
      "}",
      "]",
      "- ",
      "\n",
      '"',
      "'",
      "|\n",
      ": ",
      "<<: ",
      "$ref: x.yaml",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 30 }), async (parts) => {
        const outcome = await read(parts.join("")).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(SpecificationError);
      }),
    );
  });
});

describe("circular references between documents", () => {
  const source = { url: "https://specs.example/api/openapi.yaml" };

  test("documents with circular references are each fetched once, and each reference has one name", async () => {
    const { fetch, asked } = webOf({ ...CIRCLE });
    const { filesystem } = (await readSpecification(source, { fetch, milliseconds: 1000 }))!;
    expect(asked.map(({ url }) => url).sort()).toEqual(Object.keys(CIRCLE).sort());
    expect(filesystem.map(({ filename, isEntrypoint }) => [filename, isEntrypoint])).toEqual([
      ["openapi.yaml", true],
      ["paths/a.yaml", false],
      ["schemas/shared.json", false],
      ["schemas/more/shared.json", false],
      ["https://other.example/types.yaml", false],
    ]);
    const byName = new Map(filesystem.map((entry) => [entry.filename, entry]));
    expect(byName.get("schemas/shared.json")!.specification).toEqual({
      Shared: {
        type: "object",
        properties: {
          a: { $ref: "schemas/more/shared.json#/More" },
          self: { $ref: "#/Shared" },
          again: { $ref: "#/Shared" },
          entry: { $ref: "openapi.yaml#/components/schemas/Shared" },
          elsewhere: { $ref: "https://other.example/types.yaml#/Type" },
          $ref: { type: "string" },
        },
      },
    });
    expect(byName.get("https://other.example/types.yaml")!.specification).toMatchObject({ Type: { $ref: "#/Other" } });
  });

  test("every reference names an existing document", async () => {
    const { fetch } = webOf({ ...CIRCLE });
    const { filesystem } = (await readSpecification(source, { fetch, milliseconds: 1000 }))!;
    const names = filesystem.map(({ filename }) => filename);
    for (const { references } of filesystem) for (const name of references) expect(names).toContain(name);
  });

  test("a value in an example that looks like a reference is not followed", async () => {
    const { fetch, asked } = webOf({ ...CIRCLE });
    await readSpecification(source, { fetch, milliseconds: 1000 });
    expect(asked.map(({ url }) => url)).not.toContain("https://specs.example/never.json");
  });

  test("a missing document rejects the whole specification", async () => {
    const { fetch } = webOf({ ...CIRCLE, "https://other.example/types.yaml": undefined as never });
    const { code, message } = await refusal(readSpecification(source, { fetch, milliseconds: 1000 }));
    expect([code, message]).toEqual(["FETCH_ERROR", "https://other.example/types.yaml answered with 404."]);
  });

  test("a document that never arrives is a timeout, even if fetch ignores the signal", async () => {
    const { fetch } = webOf({ ...CIRCLE, "https://other.example/types.yaml": null });
    expect((await refusal(readSpecification(source, { fetch, milliseconds: 1000 }))).code).toBe("FETCH_TIMEOUT");
    const deaf = () => new Promise<Response>(() => {});
    expect((await refusal(readSpecification(source, { fetch: deaf, milliseconds: 1 }))).code).toBe("FETCH_TIMEOUT");
  });

  test("documents are not read again while their ETags are unchanged", async () => {
    const { fetch, asked, documents } = webOf({ ...CIRCLE });
    const reach = { fetch, milliseconds: 1000 };
    const { known } = (await readSpecification(source, reach))!;
    asked.length = 0;
    expect(await readSpecification(source, reach, known)).toBeUndefined();
    expect(asked.every(({ status }) => status === 304)).toBe(true);
    documents["https://other.example/types.yaml"] = "Type: { type: number }\n";
    const again = await readSpecification(source, reach, known);
    expect(again!.filesystem.at(-1)!.specification).toEqual({ Type: { type: "number" } });
  });

  test("documents cannot be requested by ETag if one of them has none", async () => {
    const { fetch } = webOf({ ...CIRCLE }, { etags: false });
    expect((await readSpecification(source, { fetch, milliseconds: 1000 }))!.known).toBeUndefined();
  });
});

test("a name in the specification maps back to its URL", () => {
  const part = fc.constantFrom("a", "b", "c.json", "d%20e");
  const path = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => `https://x.example/${parts.join("/")}`);
  fc.assert(
    fc.property(path, path, fc.constantFrom("", "?q=1"), (entry, other, query) => {
      const address = other + query;
      const name = getDocumentName(entry, address);
      expect(new URL(name, entry).href).toBe(address);
    }),
  );
});

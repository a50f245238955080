// Fonts on the wire: by name, or a definition of one's own.

import * as v from "valibot";
import {
  Id,
  listSchema,
  maxJsonSize,
  namedObject,
  Timestamp,
  textSchema,
  UrlString,
  WebUrl,
} from "../../../operation/common-schemas";

/** Fonts for texts that renderers of this interface know. */
export const TEXT_FONTS = [
  "Inter",
  "Roboto",
  "RobotoSlab",
  "OpenSans",
  "SourceSansPro",
  "Lato",
  "Ubuntu",
  "Raleway",
  "Merriweather",
  "Overpass",
  "NotoSans",
  "IBMPlexSerif",
  "Poppins",
  "FiraSans",
  "ABCFavorit",
] as const;

/** Fonts for code that renderers of this interface know. */
export const MONOSPACE_FONTS = [
  "FiraCode",
  "IBMPlexMono",
  "JetBrainsMono",
  "SourceCodePro",
  "RobotoMono",
  "SpaceMono",
  "DMMono",
  "Inconsolata",
] as const;

const FontFamily = v.pipe(
  textSchema(1, 64),
  v.regex(/^[\p{L}\p{N}][\p{L}\p{N} _-]*$/u, "Expected letters and digits, with spaces, dashes or underscores between"),
);

const formats = ["woff2", "woff", "truetype", "opentype"] as const;

const FontSource = v.pipe(
  v.strictObject({
    url: WebUrl,
    format: v.optional(v.picklist(formats, `Expected one of ${formats.join(", ")}`)),
  }),
  v.title("CustomFontSource"),
);

const FontFace = v.pipe(
  v.strictObject({
    weight: v.pipe(
      v.number("Expected a number"),
      v.integer("Expected a whole number"),
      v.minValue(1, "Expected 1 to 1000"),
      v.maxValue(1000, "Expected 1 to 1000"),
    ),
    style: v.optional(v.picklist(["normal", "italic"], "Expected normal or italic"), "normal"),
    sources: v.pipe(listSchema(FontSource, 4), v.minLength(1, "Expected a source")),
  }),
  v.title("CustomFontFace"),
);

const FontFaces = v.pipe(listSchema(FontFace, 20), maxJsonSize(16 * 1024));

/** A font of the organization: by its id. What else is said of it comes from the font. */
const FontReference = v.pipe(
  v.strictObject({
    id: Id,
    custom: v.optional(v.literal(true)),
    fontFamily: v.optional(FontFamily),
    fontFaces: v.optional(FontFaces),
  }),
  v.title("CustomFontReference"),
);

const FontDefinition = v.pipe(
  v.strictObject({ custom: v.optional(v.literal(true)), fontFamily: FontFamily, fontFaces: FontFaces }),
  v.title("FontDefinition"),
);

/** A font in a request: one by name, one of the organization, or a definition. */
export function createFontChoiceSchema<const Names extends readonly string[]>(names: Names) {
  return v.union(
    [v.picklist(names), FontReference, FontDefinition],
    `Expected one of ${names.join(", ")}, the id of a font, or fontFamily and fontFaces`,
  );
}

/** A font in an answer that is a definition. */
export const ShownFont = namedObject("FontInUse", {
  id: v.optional(
    v.pipe(Id, v.description("The ID of a font of the organization. Omitted if the font is defined inline.")),
  ),
  custom: v.literal(true),
  fontFamily: v.string(),
  fontFaces: v.array(v.object(FontFace.entries)),
});

export const CustomFont = namedObject("CustomFont", {
  object: v.literal("font"),
  id: Id,
  custom: v.literal(true),
  fontFamily: v.string(),
  fontFaces: v.array(v.object(FontFace.entries)),
  createdAt: Timestamp,
  permissions: v.object({ edit: v.boolean() }),
  urls: v.object({ location: UrlString }),
});

const newFontFields = { fontFamily: FontFamily, fontFaces: v.pipe(FontFaces, v.minLength(1, "Expected a font face")) };

export const NewFont = v.strictObject(newFontFields);

export const FontChanges = v.partial(v.strictObject(newFontFields));

export type CustomFontFields = Pick<v.InferOutput<typeof FontDefinition>, "fontFamily" | "fontFaces">;

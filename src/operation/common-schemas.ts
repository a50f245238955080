// Shapes on the wire that more than one resource uses. A shape with a title becomes a named schema in openapi.json.

import * as v from "valibot";
import { tryParseUrl } from "../utils/url";

/** Text of a length between two bounds, measured in characters as a person counts them. */
export function textSchema(min: number, max: number) {
  const message = min === 0 ? `Expected at most ${max} characters` : `Expected ${min} to ${max} characters`;
  return v.pipe(v.string("Expected text"), v.minCodePoints(min, message), v.maxCodePoints(max, message));
}

/** A list of at most this many items. Their number is checked before the items. */
export function listSchema<const Item extends v.GenericSchema>(
  item: Item,
  most: number,
  message = `Expected at most ${most}`,
  noList = "Expected a list",
) {
  const items = v.array(item, noList);
  const length = v.maxLength<v.InferOutput<Item>[], number, string>(most, message);
  return v.pipe(
    sizeFirst(items, length, (value) => Array.isArray(value) && value.length > most),
    length,
  );
}

/** An object with at most this many freely named fields. Their number is checked before the fields. */
export function recordSchema<const Name extends v.GenericSchema<string, string>, const Member extends v.GenericSchema>(
  name: Name,
  member: Member,
  most: number,
  message = `Expected at most ${most}`,
) {
  const members = v.record(name, member, "Expected an object");
  const size = v.maxEntries<v.InferOutput<typeof members>, number, string>(most, message);
  const isLarge = (value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > most;
  return v.pipe(sizeFirst(members, size, isLarge), size);
}

/** A shape that reports only that a value is too large, whatever is in it. A list of all mistakes would be longer than
 * the input. */
function sizeFirst<Shape extends v.GenericSchema>(
  shape: Shape,
  size: v.GenericValidation,
  isLarge: (value: unknown) => boolean,
): Shape {
  return {
    ...shape,
    "~run": ((dataset, config) =>
      isLarge(dataset.value)
        ? size["~run"]({ typed: true, value: dataset.value }, config)
        : shape["~run"](dataset, config)) as Shape["~run"],
  };
}

/** The most levels of free JSON. */
const MAX_DEPTH = 32;

/** A UTF-16 unit becomes three bytes at most, and one at least: mostly nothing must be encoded to know. */
const fits = {
  bytes: (json: string, most: number) =>
    3 * json.length <= most || (json.length <= most && new TextEncoder().encode(json).length <= most),
  characters: (json: string, most: number) => json.length <= most || [...json].length <= most,
};

/** A check of free JSON: it has at most this many bytes or characters, and a limited depth. */
export function maxJsonSize<Value>(most: number, unit: keyof typeof fits = "bytes"): v.CheckAction<Value, string> {
  const isWithin = (value: Value) => isShallow(value) && fits[unit](JSON.stringify(value), most);
  return v.check(isWithin, `Expected at most ${most} ${unit} of JSON, and at most ${MAX_DEPTH} levels`);
}

/** Walked level by level, so that JSON that is too deep for recursion is reported, too. */
function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    level = level.flatMap((it) => (typeof it === "object" && it !== null ? Object.values(it) : []));
    if (level.length === 0) return true;
  }
  return false;
}

export const Id = v.pipe(v.string("Expected an id"), v.regex(/^[A-Za-z0-9_-]{1,64}$/, "Expected an id"));

export const Timestamp = v.pipe(v.string(), v.isoTimestamp());

/** How far work is that goes on after an answer. */
export const Progress = v.pipe(
  v.object({
    done: v.number(),
    total: v.optional(v.pipe(v.number(), v.description("Left out while nobody knows how much there is to do."))),
    step: v.pipe(v.string(), v.description("What is being done, such as `reading`.")),
  }),
  v.title("Progress"),
  v.description("How far the work is; there while it goes on."),
);

/** A URL of any scheme, as `v.url`, except one that would take long to parse. */
export function urlSchema(message: string) {
  return { ...v.url<string, string>(message), requirement: (url: string) => tryParseUrl(url) !== undefined };
}

/** An absolute http or https URL. */
export const WebUrl = v.pipe(
  v.string("Expected a URL"),
  v.maxLength(2048, "Expected at most 2048 characters"),
  urlSchema("Expected an absolute URL"),
  v.regex(/^https?:\/\//i, "Expected a URL that begins with http:// or https://"),
);

/** An http or https URL to which people are redirected: a `Location` header can hold it as it is. */
export const RedirectUrl = v.pipe(
  WebUrl,
  v.regex(/^[!-~]*$/, "Expected visible ASCII characters: percent-encode all others, such as `é` as `%C3%A9`"),
);

/** A URL that we made. */
export const UrlString = v.pipe(v.string(), v.url());

export const Email = v.pipe(
  v.string("Expected an e-mail address"),
  v.maxLength(254, "Expected at most 254 characters"),
  v.email("Expected an e-mail address"),
);

/** From the lowest to the highest; each includes the one before. */
export const roles = ["read", "comment", "edit", "review", "create", "admin"] as const;
export const Role = v.pipe(v.picklist(roles, `Expected one of ${roles.join(", ")}`), v.title("Role"));
export type Role = v.InferOutput<typeof Role>;

/** A role in an organization; null is a guest. */
export const MemberRole = v.nullable(Role);

/** `true` or `false` in a query. */
export const BooleanParam = v.pipe(
  v.picklist(["true", "false"], "Expected true or false"),
  v.transform((value) => value === "true"),
);

export const SortOrder = v.picklist(["asc", "desc"], "Expected asc or desc");

export const User = v.pipe(
  v.object({
    object: v.literal("user"),
    id: Id,
    displayName: v.string(),
    email: v.string(),
    photoURL: v.optional(v.string()),
    urls: v.object({ location: UrlString }),
  }),
  v.title("User"),
);

/** The languages that spaces are written in and translated between. */
// biome-ignore format: the whole list at a glance.
const languages = [
  "en", "fr", "de", "es", "it", "pt", "pt-br", "ru", "ja", "zh", "yue", "ko", "ar", "hi", "nl", "pl", "tr", "sv", "no", "da",
  "fi", "el", "cs", "hu", "ro", "th", "vi", "id", "ms", "he", "uk", "sk", "bg", "hr", "lt", "lv", "et", "sl",
] as const;

export const TranslationLanguage = v.pipe(
  v.picklist(languages, `Expected one of ${languages.join(", ")}`),
  v.title("TranslationLanguage"),
);
export type TranslationLanguage = v.InferOutput<typeof TranslationLanguage>;

/** A value that texts can show by its name. */
export const Variable = v.union(
  [v.pipe(v.string(), v.maxLength(256, "Expected at most 256 characters")), v.number(), v.boolean()],
  "Expected text, a number, true or false",
);

export const VariableName = v.pipe(
  v.string(),
  v.regex(/^\p{L}[\p{L}\p{N}_]{0,99}$/u, "Expected a letter, then letters, digits and underscores"),
);

/** The most variables of a page. */
const MAX_OF_PAGE = 100;

export const Variables = recordSchema(VariableName, Variable, MAX_OF_PAGE, `Expected at most ${MAX_OF_PAGE} variables`);

/** Text in the form that is compared: case and compatibility differences folded, white space trimmed. */
export function foldText(value: string): string {
  return value.normalize("NFKC").toLowerCase().trim();
}

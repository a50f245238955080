// Schemas that more than one resource uses on the wire. A schema with a title becomes a named schema in openapi.json.

import * as v from "valibot";
import { isJsonObject } from "../utils/objects";
import { tryParseUrl } from "../utils/url";

/** Creates a schema of text whose length is between two bounds, in code points. */
export function textSchema(min: number, max: number) {
  const message = min === 0 ? `Expected at most ${max} characters` : `Expected ${min} to ${max} characters`;
  return v.pipe(v.string("Expected text"), v.minCodePoints(min, message), v.maxCodePoints(max, message));
}

/** Creates the schema of the `permissions` of a thing, which `getPermissions` fills. */
export function permissionsSchema<const Name extends string>(names: readonly Name[]) {
  const entries = Object.fromEntries(names.map((name) => [name, v.boolean()]));
  return v.object(entries as { readonly [name in Name]: v.BooleanSchema<undefined> });
}

/** Creates a schema of an object that the API returns. Its title is its name in openapi.json. */
export function namedObject<const Entries extends v.ObjectEntries>(title: string, entries: Entries) {
  return v.pipe(v.object(entries), v.title(title));
}

/** Creates a schema of a list of at most `maxItems` items. Their number is checked before the items. */
export function listSchema<const Item extends v.GenericSchema>(
  item: Item,
  maxItems: number,
  message = `Expected at most ${maxItems}`,
  typeMessage = "Expected a list",
) {
  const items = v.array(item, typeMessage);
  const length = v.maxLength<v.InferOutput<Item>[], number, string>(maxItems, message);
  const isTooLarge = (value: unknown) => Array.isArray(value) && value.length > maxItems;
  return v.pipe(checkSizeFirst(items, length, isTooLarge), length);
}

/** Creates a schema of an object with at most `maxMembers` freely named members. Their number is checked before them. */
export function recordSchema<const Name extends v.GenericSchema<string, string>, const Member extends v.GenericSchema>(
  name: Name,
  member: Member,
  maxMembers: number,
  message = `Expected at most ${maxMembers}`,
) {
  const members = v.record(name, member, "Expected an object");
  const size = v.maxEntries<v.InferOutput<typeof members>, number, string>(maxMembers, message);
  const isTooLarge = (value: unknown) => isJsonObject(value) && Object.keys(value).length > maxMembers;
  return v.pipe(checkSizeFirst(members, size, isTooLarge), size);
}

/** Returns a schema that reports only the size of a value that is too large, not everything wrong with it. */
function checkSizeFirst<SizedSchema extends v.GenericSchema>(
  schema: SizedSchema,
  size: v.GenericValidation,
  isTooLarge: (value: unknown) => boolean,
): SizedSchema {
  return {
    ...schema,
    "~run": ((dataset, config) =>
      isTooLarge(dataset.value)
        ? size["~run"]({ typed: true, value: dataset.value }, config)
        : schema["~run"](dataset, config)) as SizedSchema["~run"],
  };
}

/** The most levels of free-form JSON. */
const MAX_FREE_JSON_DEPTH = 32;

/** Creates a check of free-form JSON: it has at most `maxSize` bytes or characters, and a limited depth. */
export function maxJsonSize<Value>(
  maxSize: number,
  unit: "bytes" | "characters" = "bytes",
): v.CheckAction<Value, string> {
  const isWithinLimits = (value: Value) => {
    // Walks level by level, so that JSON that is too deep for recursion is reported, too.
    let level: unknown[] = [value];
    for (let depth = 0; depth <= MAX_FREE_JSON_DEPTH && level.length > 0; depth++)
      level = level.flatMap((it) => (typeof it === "object" && it !== null ? Object.values(it) : []));
    if (level.length > 0) return false;

    const json = JSON.stringify(value);
    if (unit === "characters") return json.length <= maxSize || [...json].length <= maxSize;
    // A UTF-16 unit becomes one to three bytes in UTF-8, so mostly nothing must be encoded to decide.
    return 3 * json.length <= maxSize || (json.length <= maxSize && new TextEncoder().encode(json).length <= maxSize);
  };
  const levels = `at most ${MAX_FREE_JSON_DEPTH} levels`;
  return v.check(isWithinLimits, `Expected at most ${maxSize} ${unit} of JSON, and ${levels}`);
}

export const Id = v.pipe(v.string("Expected an id"), v.regex(/^[A-Za-z0-9_-]{1,64}$/, "Expected an id"));

export const Timestamp = v.pipe(v.string(), v.isoTimestamp());

/** The progress of work that continues after the response. */
export const Progress = v.pipe(
  v.object({
    done: v.number(),
    total: v.optional(v.pipe(v.number(), v.description("The total amount of work. Omitted if unknown."))),
    step: v.pipe(v.string(), v.description("The current step, such as `reading`.")),
  }),
  v.title("Progress"),
  v.description("The progress of the job. Present while it is running."),
);

/** Creates a schema of a URL with any scheme, like `v.url`, that refuses URLs that would take long to parse. */
export function urlSchema(message: string) {
  return { ...v.url<string, string>(message), requirement: (url: string) => tryParseUrl(url) !== undefined };
}

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

/** A URL that the API itself creates. */
export const UrlString = v.pipe(v.string(), v.url());

export const Email = v.pipe(
  v.string("Expected an e-mail address"),
  v.maxLength(254, "Expected at most 254 characters"),
  v.email("Expected an e-mail address"),
);

/** The roles from the lowest to the highest; each includes the one before. */
export const roles = ["read", "comment", "edit", "review", "create", "admin"] as const;
export const Role = v.pipe(v.picklist(roles, `Expected one of ${roles.join(", ")}`), v.title("Role"));
export type Role = v.InferOutput<typeof Role>;

/** A role in an organization; null is a guest. */
export const MemberRole = v.nullable(Role);

/** `true` or `false` in a query string. */
export const BooleanParam = v.pipe(
  v.picklist(["true", "false"], "Expected true or false"),
  v.transform((value) => value === "true"),
);

export const SortOrder = v.picklist(["asc", "desc"], "Expected asc or desc");

export const User = namedObject("User", {
  object: v.literal("user"),
  id: Id,
  displayName: v.string(),
  email: v.string(),
  photoURL: v.optional(v.string()),
  urls: v.object({ location: UrlString }),
});

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

/** The value of a variable, which texts can show by its name. */
export const Variable = v.union(
  [v.pipe(v.string(), v.maxLength(256, "Expected at most 256 characters")), v.number(), v.boolean()],
  "Expected text, a number, true or false",
);

export const VariableName = v.pipe(
  v.string(),
  v.regex(/^\p{L}[\p{L}\p{N}_]{0,99}$/u, "Expected a letter, then letters, digits and underscores"),
);

/** The most variables of a page. */
const MAX_VARIABLES = 100;

export const Variables = recordSchema(
  VariableName,
  Variable,
  MAX_VARIABLES,
  `Expected at most ${MAX_VARIABLES} variables`,
);

/** Returns a text in a form for comparisons: case and compatibility differences folded, white space trimmed. */
export function foldText(value: string): string {
  return value.normalize("NFKC").toLowerCase().trim();
}

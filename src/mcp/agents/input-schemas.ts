// Schemas of the input of tools, with descriptions for a model.

import * as v from "valibot";

/** A text with a description. The API decides if it is a valid id. */
export function textInput(description: string, maxLength = 200) {
  return v.pipe(
    v.string("Expected text"),
    v.nonEmpty("Expected text that is not empty"),
    v.maxLength(maxLength, `Expected at most ${maxLength} characters`),
    v.description(description),
  );
}

export function integerInput(description: string, min: number, max: number) {
  return v.pipe(
    v.number("Expected a whole number"),
    v.integer("Expected a whole number"),
    v.minValue(min, `At least ${min}`),
    v.maxValue(max, `At most ${max}`),
    v.description(description),
  );
}

/** The maximum length of the text of a page in characters. */
export const MAX_PAGE_TEXT_LENGTH = 1024 * 1024;

export function markdownInput(description: string) {
  return v.pipe(
    v.string("Expected text"),
    v.maxLength(MAX_PAGE_TEXT_LENGTH, `Expected at most ${MAX_PAGE_TEXT_LENGTH} characters`),
    v.description(description),
  );
}

export const SpaceId = textInput("The id of the space, such as `spc_…`, from `list_spaces` or `search`.");

export const ChangeRequestId = textInput(
  "The id (`chr_…`) or the number of the change request in its space, such as `12`.",
);

export const PageId = textInput("The id of the page, such as `pag_…`, from `search` or `list_pages`.");

export const PageVersion = textInput("The `version` that `read_page` gave for this page in this change request.");

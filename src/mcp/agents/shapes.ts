// What tools take, in words for a model.

import * as v from "valibot";

/** A text with a description. Whether it names something is for the API to say. */
export function words(description: string, longest = 200) {
  return v.pipe(
    v.string("Expected text"),
    v.nonEmpty("Expected text that is not empty"),
    v.maxLength(longest, `Expected at most ${longest} characters`),
    v.description(description),
  );
}

export function whole(description: string, least: number, most: number) {
  return v.pipe(
    v.number("Expected a whole number"),
    v.integer("Expected a whole number"),
    v.minValue(least, `At least ${least}`),
    v.maxValue(most, `At most ${most}`),
    v.description(description),
  );
}

export const Space = words("The id of the space, such as `spc_…`, from `list_spaces` or `search`.");

export const ChangeRequest = words("The id (`chr_…`) or the number of the change request in its space, such as `12`.");

export const Page = words("The id of the page, such as `pag_…`, from `search` or `list_pages`.");

export const Version = words("The `version` that `read_page` gave for this page in this change request.");

/** The longest text of a page. */
export const MAX_TEXT = 1024 * 1024;

export const Markdown = (description: string) =>
  v.pipe(
    v.string("Expected text"),
    v.maxLength(MAX_TEXT, `Expected at most ${MAX_TEXT} characters`),
    v.description(description),
  );

/** Where content is read: in a change request, or what the space shows. */
export function reading(space: string, changeRequest: string | undefined) {
  return changeRequest === undefined ? undefined : { spaceId: space, changeRequestId: changeRequest };
}

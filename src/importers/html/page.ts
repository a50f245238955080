// One page of the web as a book of one page, with its images.

import { runSteps } from "../../utils/concurrency/event-loop";
import { tryParseUrl } from "../../utils/url";
import type { Imported } from "../imported";
import { ImportRefused } from "../refused";
import { Asking, type WebSource } from "../website/answers";
import { FileShelf, withoutFragment } from "../website/files";
import { withDefaults } from "../website/limits";
import { bookOfOne } from "../website/one-page";
import { pageOf } from "../website/page";
import { Skips } from "../website/skips";
import { decodeHtml, readHtml } from ".";
import { parseInSteps } from "./tree";

/** Imports the page at a URL. Its links stay as they are. Throws `ImportRefused` when it cannot be read or says nothing. */
export async function importHtml(source: WebSource): Promise<Imported> {
  const { url } = source;
  if (!/^https?:$/.test(tryParseUrl(url)?.protocol ?? ""))
    throw new ImportRefused("A page is imported from an address that begins with http: or https:.");
  const asking = new Asking(source, withDefaults(source.limits));
  const answer = await asking.ask(url, {
    accept: "text/html, application/xhtml+xml;q=0.9",
    maxBytes: asking.limits.pageBytes,
    refuse: (_, type) =>
      /^(?:|text\/html|application\/xhtml\+xml)$/.test(type) ? undefined : `It is ${type}, not a page.`,
  });
  if (!answer.isReceived) throw new ImportRefused(`${url} could not be imported: ${answer.reason}`);
  const root = await runSteps(parseInSteps(decodeHtml(answer.bytes, answer.headers.get("content-type") ?? "")));
  const page = await runSteps(pageOf(await runSteps(readHtml(root, { base: answer.url })), answer.url));
  if (page.isEmpty) throw new ImportRefused(`No content was found in ${url}.`);
  const [shelf, skips] = [new FileShelf(), new Skips()];
  await shelf.fetchAll(asking, page.images, skips, () => true);
  return bookOfOne(page, shelf, skips, (address) => shelf.paths.get(withoutFragment(address)) ?? address);
}

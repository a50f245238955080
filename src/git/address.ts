// Addresses of repositories and names of branches. An address is http(s) without a secret in it. A branch has a name
// that no Git command could take for anything else.

import { trimTrailingSlashes, tryParseUrl } from "../utils/url";
import type { GitAuth } from "./port";
import { GitRefused } from "./refused";

/** The address of a repository without the name and the password that it held, and without query and fragment. */
export function splitCredentials(url: string): { url: string; auth: GitAuth | undefined } {
  const parsed = parse(url);
  const username = decoded(parsed.username);
  const password = decoded(parsed.password);
  const auth = username === "" && password === "" ? undefined : { username, password };
  return { url: `${parsed.origin}${trimTrailingSlashes(parsed.pathname)}`, auth };
}

/** The plain address; refused when it is not http(s), or still holds a name, a password, a query or a fragment. */
export function repositoryUrl(url: string): string {
  const { username, password, search, hash } = parse(url);
  if (username + password + search + hash !== "")
    throw new GitRefused("not_git", "The address of the repository is not in its plain form.");
  return splitCredentials(url).url;
}

function parse(url: string): URL {
  // The sentence does not repeat the address: a mistyped one may still hold a password.
  const parsed = tryParseUrl(url);
  if (!parsed) throw new GitRefused("not_git", "The address of the repository is not a URL.");
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:")
    throw new GitRefused("not_git", "The address of a repository must begin with https:// or http://.");
  return parsed;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const MAX_REF_LENGTH = 255;
/** The last alternative is half of a surrogate pair. */
const FORBIDDEN = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\.$|\p{Cs}/u;

/** Whether this names a branch in full, `refs/heads/…`, by Git's own rules for names. */
export function isBranchRef(ref: string): boolean {
  const name = /^refs\/heads\/(.+)$/s.exec(ref)?.[1];
  if (name === undefined || ref.length > MAX_REF_LENGTH || FORBIDDEN.test(name)) return false;
  const isWellFormed = (part: string) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock");
  return !name.startsWith("-") && name.split("/").every(isWellFormed);
}

/** Refuses a name that is not a branch. */
export function checkRef(ref: string): void {
  if (!isBranchRef(ref)) throw new GitRefused("ref_not_found", "The branch must be named in full, as refs/heads/main.");
}

// Converts repository URLs and branch names between the forms that users type and those of the API.

import { tryParseUrl } from "../../../utils/url";

/** Converts `refs/heads/main` to `main`. */
export function toBranchName(ref: string): string {
  return ref.replace(/^refs\/heads\//, "");
}

export function toBranchRef(branch: string): string {
  const name = branch.trim();
  return name.startsWith("refs/") ? name : `refs/heads/${name}`;
}

/** Adds credentials to a repository URL, if they are given. A text that is no URL stays as it is. */
export function buildRepositoryUrl(url: string, name: string, password: string): string {
  const bare = url.trim();
  if (name.trim() === "" && password === "") return bare;
  const address = tryParseUrl(bare);
  if (!address) return bare;
  // Hosts that authenticate by a token alone accept any user name.
  address.username = encodeURIComponent(name.trim() === "" ? "git" : name.trim());
  address.password = encodeURIComponent(password);
  return address.href;
}

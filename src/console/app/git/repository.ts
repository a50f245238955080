// Addresses of repositories and names of branches, as people write them and as the API takes them.

import { tryParseUrl } from "../../../utils/url";

/** `refs/heads/main` is `main` to people. */
export function branchOf(ref: string): string {
  return ref.replace(/^refs\/heads\//, "");
}

export function refOf(branch: string): string {
  const name = branch.trim();
  return name.startsWith("refs/") ? name : `refs/heads/${name}`;
}

/** The address with a name and a password in it, where they are given. A text that is no address stays as it is. */
export function repositoryOf(url: string, name: string, password: string): string {
  const bare = url.trim();
  if (name.trim() === "" && password === "") return bare;
  const address = tryParseUrl(bare);
  if (!address) return bare;
  // Hosts that take a token alone want any name beside it.
  address.username = encodeURIComponent(name.trim() === "" ? "git" : name.trim());
  address.password = encodeURIComponent(password);
  return address.href;
}

// The redirect URIs that tools may have. Anybody registers a tool, and a browser opens the address after one click: so it
// belongs to a website, to a program on this computer that listens, or to an application with a private-use scheme.

import { tryParseUrl } from "../../utils/url";
import type { SignInOptions } from "../options";

/** Schemes without a dot that belong to editors and lead to their own sign-in. Others start programs with what they are given. */
const EDITOR_SCHEMES = ["cursor", "vscode", "vscode-insiders", "vscodium", "windsurf", "zed"];

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);
const SCHEME = /^[a-z][a-z0-9+.-]*$/;
/** A domain name in reverse order (RFC 8252, section 7.1). Programs that come with a system have schemes without a dot. */
const PRIVATE_USE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+$/;
/** Schemes that a browser acts on itself. */
const BROWSER_SCHEMES =
  /^(?:about|blob|chrome|data|file|filesystem|ftp|https?|intent|javascript|mailto|vbscript|view-source|wss?)$/;

type Options = Pick<SignInOptions, "oauth">;

/** Whether a host can let redirect URIs have a scheme: one in lowercase letters that no browser acts on itself. */
export function isRedirectScheme(scheme: string): boolean {
  return SCHEME.test(scheme) && !BROWSER_SCHEMES.test(scheme);
}

/** Throws a TypeError that names the scheme if the host allows one that isn't of an application. */
export function checkRedirectSchemes({ oauth }: Options): void {
  const at = (oauth?.redirectSchemes ?? []).findIndex((scheme) => !isRedirectScheme(scheme));
  if (at >= 0)
    throw new TypeError(
      `createSignIn: \`oauth.redirectSchemes[${at}]\` must be the scheme of an application in lowercase letters and without a colon, such as vscode.`,
    );
}

/** Returns what is wrong with a redirect URI; undefined if tools may have it. */
export function findFlaw(uri: string, options: Options): string | undefined {
  if (!/^[\x21-\x7e]*$/.test(uri)) return "Expected visible ASCII characters. Percent-encode all others.";
  const url = tryParseUrl(uri);
  if (!url || /[#\\]/.test(uri)) return "Expected an absolute URL without a fragment or backslashes.";
  if (url.username !== "" || url.password !== "") return "Expected a URL without a user name or password.";
  const scheme = url.protocol.slice(0, -1);
  if (scheme === "https" || isLoopback(url)) return undefined;
  if (scheme === "http")
    return "Expected https. http is for loopback addresses only, such as http://127.0.0.1/callback.";
  const allowed = options.oauth?.redirectSchemes ?? EDITOR_SCHEMES;
  if (PRIVATE_USE_SCHEME.test(scheme) || allowed.includes(scheme)) return undefined;
  return `The scheme ${scheme} isn't allowed. Expected https, http on a loopback address, or a private-use scheme with a dot, such as com.example.app.`;
}

/** Whether a URL is one of this computer, over http. */
export function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && LOOPBACK.has(hostname);
}

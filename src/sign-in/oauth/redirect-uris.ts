// The redirect URIs that clients may register. Anybody can register a client, and a browser opens the URI after one click. So
// it has to belong to a website, to a program that listens on this computer, or to an application with a private-use scheme.

import { tryParseUrl } from "../../utils/url";
import type { SignInOptions } from "../options";

/** Schemes without a dot that editors use for authorization responses. Others may start programs with the URI as an argument. */
const EDITOR_SCHEMES = ["cursor", "vscode", "vscode-insiders", "vscodium", "windsurf", "zed"];

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);
const SCHEME = /^[a-z][a-z0-9+.-]*$/;
/** A domain name in reverse order (RFC 8252, section 7.1). The programs of an operating system have schemes without a dot. */
const PRIVATE_USE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+$/;
/** Schemes that browsers handle themselves. */
const BROWSER_SCHEMES =
  /^(?:about|blob|chrome|data|file|filesystem|ftp|https?|intent|javascript|mailto|vbscript|view-source|wss?)$/;

type RedirectOptions = Pick<SignInOptions, "oauth">;

/** Checks whether a host may allow a scheme: one in lowercase letters that browsers don't handle themselves. */
export function isRedirectScheme(scheme: string): boolean {
  return SCHEME.test(scheme) && !BROWSER_SCHEMES.test(scheme);
}

/** Returns the problem of a redirect URI, or undefined if clients may register it. */
export function findRedirectUriProblem(uri: string, options: RedirectOptions): string | undefined {
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

/** Checks whether a URL is on a loopback address, over http. */
export function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && LOOPBACK.has(hostname);
}

// The options of sign-in.

import type { OpenIdConnectOptions } from "./oidc/options";

export interface SignInOptions {
  /** The lifetime of sessions. */
  readonly sessions?: {
    /** Days without use after which a session ends. Default: 14. */
    readonly idleDays?: number;
    /** Days after which a session ends, however much it is used. Default: 90. */
    readonly maxDays?: number;
  };
  /**
   * Allows people who are neither known nor invited to sign in by e-mail or OpenID Connect. `true` allows everybody.
   * `"domains"` allows people whose e-mail domain an organization has proven; they become members with its default role.
   * Default: false, nobody.
   */
  readonly allowSignUp?: boolean | "domains";
  /** The OpenID Connect providers of the whole server. Default: none. */
  readonly openIdConnect?: readonly OpenIdConnectOptions[];
  /** OAuth for tools, such as agents and command lines. */
  readonly oauth?: {
    /**
     * The schemes without a dot that redirect URIs may have, besides https, http on a loopback address, and private-use
     * schemes such as `com.example.app`. A scheme without a dot can start any program of a computer, so list only those of
     * applications that expect an authorization response.
     * Default: `["cursor", "vscode", "vscode-insiders", "vscodium", "windsurf", "zed"]`.
     */
    readonly redirectSchemes?: readonly string[];
  };
  /**
   * The path of your application, such as `/` for the console. Users are redirected there after signing in, unless they
   * followed a link to another page, and the sign-in pages link to their organizations in it. Default: a page that shows who
   * is signed in.
   */
  readonly home?: string;
  /**
   * The command with which the operator of this server prints a sign-in link, such as `octavo user link <email>`. The sign-in page
   * shows it where people can sign in neither by e-mail nor by OpenID Connect. Default: none.
   */
  readonly linkCommand?: string;
  /** Single sign-on by SAML with the identity providers of organizations. */
  readonly saml?: {
    /** The ids of providers whose signatures may use SHA-1. Default: none. */
    readonly sha1?: readonly string[];
    /**
     * The ids of providers whose e-mail addresses are trusted for every domain; `all` where every organization is your own.
     * Other providers are trusted for the proven domains of their organization. Default: none.
     */
    readonly trusted?: readonly string[] | "all";
  };
}

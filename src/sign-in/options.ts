// What a host decides about signing in.

import type { OpenIdConnectOptions } from "./oidc/options";

export interface SignInOptions {
  /** How long sessions last. */
  readonly sessions?: {
    /** Days without use after which a session ends. Default: 14. */
    readonly idleDays?: number;
    /** Days after which a session ends, however much it is used. Default: 90. */
    readonly maxDays?: number;
  };
  /**
   * Who may come in by mail or by OpenID Connect without being known or invited: `true`: everybody; `"domains"`: people whose e-mail domain an
   * organization has proven, and they become its members with its default role. Default: false, nobody.
   */
  readonly newcomers?: boolean | "domains";
  /** Providers that people sign in with, for the whole server. Default: none. */
  readonly openIdConnect?: readonly OpenIdConnectOptions[];
  /** OAuth for tools. */
  readonly oauth?: {
    /**
     * The schemes without a dot that redirect URIs of tools may have, besides https, http on a loopback address, and
     * private-use schemes such as `com.example.app`. Schemes without a dot can start any program of a computer, so list
     * only those of applications that expect the answer of a sign-in.
     * Default: `["cursor", "vscode", "vscode-insiders", "vscodium", "windsurf", "zed"]`.
     */
    readonly redirectSchemes?: readonly string[];
  };
  /**
   * The path of your application, such as `/` for the console. People go there after signing in, unless they followed a link
   * to another page, and the pages of sign-in link to the organizations in it. Default: a page that shows who is signed in.
   */
  readonly home?: string;
  /** Single sign-on by SAML, for the providers of organizations. */
  readonly saml?: {
    /** The ids of providers whose signatures may still be made with SHA-1. Default: none. */
    readonly sha1?: readonly string[];
    /**
     * The ids of providers that are believed about every e-mail address; `all` where every organization is your own.
     * Otherwise a provider is believed about the proven domains of its organization. Default: none.
     */
    readonly trusted?: readonly string[] | "all";
  };
}

// The options of an OpenID Connect provider.

/** An OpenID Connect provider that users sign in with. */
export interface OpenIdConnectOptions {
  /** The issuer identifier of the provider, exactly as its metadata has it: `https://login.example.com`. */
  readonly issuer: string;
  readonly clientId: string;
  /** Default: none. The provider then identifies this server by its redirect URI and PKCE alone. */
  readonly clientSecret?: string;
  /** The name on the button. Default: the host of the issuer. */
  readonly label?: string;
  /** The id in the redirect URI: `/sign-in/openid-connect/<id>/callback`. Default: the host of the issuer. */
  readonly id?: string;
  /** The requested scopes. Default: `openid profile email`. */
  readonly scope?: string;
  /** The client authentication method: `client_secret_basic` or `client_secret_post`. Default: `basic`. */
  readonly clientAuthentication?: "basic" | "post";
  /**
   * Trusts the e-mail addresses of this provider as verified, even without the claim `email_verified`. Whoever the provider
   * assigns an address to can then sign in as the user with this address. Default: false.
   */
  readonly trustsEmails?: boolean;
}

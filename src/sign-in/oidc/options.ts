// What a host says of an OpenID Connect provider.

/** A provider that people sign in with. */
export interface OpenIdConnectOptions {
  /** The address of the provider, as it writes it itself: `https://login.example.com`. */
  readonly issuer: string;
  readonly clientId: string;
  /** Default: none, and the provider knows this server by its address and by PKCE. */
  readonly clientSecret?: string;
  /** The name on the button. Default: the host of the issuer. */
  readonly label?: string;
  /** The name in the address that the provider leads back to: `/sign-in/openid-connect/<id>/callback`. Default: the host of
   * the issuer. */
  readonly id?: string;
  /** What is asked for. Default: `openid profile email`. */
  readonly scope?: string;
  /** How the secret is sent. Default: `basic`. */
  readonly secretIn?: "basic" | "post";
  /** Whether the addresses of this provider are proven although it does not say so with `email_verified`: then whoever it
   * calls by an address is the user with this address. Default: false. */
  readonly trustsEmails?: boolean;
}

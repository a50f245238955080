// Tidepool Gate, an identity service that does not exist.

import { page } from "./page";

export const gate = [
  page(
    "gate",
    "Tidepool Gate",
    "Sign-in, sessions and permissions for your users.",
    "Gate answers two questions for every request: who is it, and may they do this? It speaks OpenID Connect and SAML.",
  ),
  page(
    "authentication",
    "Authentication",
    "How requests to the Tidepool API prove who sends them.",
    "Every request needs a credential in the Authorization header: a personal access token, a service key or a short-lived session token. Requests without one get status 401.",
    {
      "Bearer tokens": "Send Authorization: Bearer followed by the token. Tokens in query strings are refused.",
      "Service keys": "Keys belong to a project, not to a person, and survive when somebody leaves the team.",
    },
  ),
  page(
    "api-tokens",
    "API tokens",
    "Create, rotate and revoke tokens.",
    "A token has a name, scopes and an expiry date. It is shown once, when it is created; we keep only its hash.",
    {
      "Create a token": "Open Settings, then Developer, and choose New token.",
      "Rotate a token": "Create the new one first, deploy it, then revoke the old one. Both work in between.",
      "Revoke a token": "Revoked tokens stop working with the next request.",
      Scopes: "A token can do at most what its scopes and its owner may do.",
    },
  ),
  page(
    "sso",
    "Single sign-on",
    "Let your employees sign in with the identity provider of the company.",
    "Gate supports SAML 2.0 and OpenID Connect. When single sign-on is enforced, passwords of the verified domains stop working.",
    {
      "Set up SAML":
        "Exchange metadata with the provider: the entity id, the assertion consumer URL and the certificate.",
      "Set up OpenID Connect": "Enter the issuer, the client id and the client secret.",
      "Verified domains": "Prove a domain with a TXT record in its DNS.",
    },
  ),
  page(
    "mfa",
    "Two-factor authentication",
    "Ask for a second factor with authenticator apps or security keys.",
    "A second factor protects accounts whose password has leaked. Users may register several security keys and print recovery codes.",
    {
      "Enforce for everyone":
        "Admins can require a second factor for the whole organization, with a grace period of two weeks.",
      "Lost device": "A recovery code signs you in once. Without one, an admin can reset the factor.",
    },
  ),
  page(
    "password-reset",
    "Resetting a password",
    "What to do when somebody forgot their password.",
    "Choose Forgot password on the sign-in page. We send a link that works once and for an hour. All sessions of the account end when the password changes.",
    { "No e-mail arrives": "Look into the spam folder and check that your address is verified." },
  ),
  page(
    "roles",
    "Roles and permissions",
    "Who may read, edit and administer.",
    "There are four roles: reader, editor, maintainer and admin. A role is granted on an organization, a project or a single resource, and the strongest one counts.",
    {
      "Custom roles": "Combine single permissions into a role of your own.",
      Teams: "Grant a role to a team, and every member of the team has it.",
    },
  ),
  page(
    "invite-members",
    "Inviting people to your organization",
    "Send invitations by e-mail or share a link.",
    "Admins invite by e-mail address. An invitation expires after fourteen days. Whoever accepts becomes a member with the role that the invitation names.",
    {
      "Invite links": "A link can be used by anybody who has it, until you close it or the number of uses is reached.",
    },
  ),
  page(
    "sessions",
    "Sessions and cookies",
    "How long people stay signed in.",
    "A session lasts fourteen days and is renewed with use. The cookie is HttpOnly, Secure and SameSite=Lax.",
    { "Sign out everywhere": "Ends all sessions of an account on all devices at once." },
  ),
  page(
    "audit-log",
    "Audit log",
    "Who did what, when, and from where.",
    "The log records sign-ins, changes of roles, tokens and settings. Entries cannot be changed or deleted and are kept for a year.",
    { "Streaming to a SIEM": "Send entries to Splunk or any HTTPS endpoint as they are written." },
  ),
  page(
    "scim",
    "Provisioning users with SCIM",
    "Create and remove accounts from your directory.",
    "Connect Okta, Entra ID or any SCIM 2.0 client. Users that are deactivated in the directory lose access within a minute.",
    { "Mapping groups": "Groups of the directory become teams." },
  ),
  page(
    "jwt",
    "Session tokens and JWT claims",
    "What is inside a session token and how to check it.",
    "A session token is a JSON Web Token signed with ES256. Fetch the keys from the well-known endpoint, check issuer, audience and expiry, and read the claims.",
    { "Custom claims": "Add attributes of the user, such as the plan or the tenant, to every token." },
  ),
  page(
    "gdpr",
    "Data protection and deletion requests",
    "Export or erase what is stored about a person.",
    "Under the GDPR a person may ask for a copy of their data and for its erasure. Both are one call each, and are finished within three days.",
  ),
];

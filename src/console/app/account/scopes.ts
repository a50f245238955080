// The scopes that limit a token: kinds of resources, each for reading or also for writing.

export const readOnly = [
  ...["ask", "audit", "change-requests", "collections", "comments", "events", "git-sync", "grants", "imports"],
  ...["integrations", "invites", "jobs", "members", "openapi-specs", "organizations", "revisions", "saml", "scim"],
  ...["search", "sessions", "sites", "spaces", "teams", "templates", "tokens", "translations", "users"],
].map((kind) => `${kind}:read`);

/** The kinds that have only a scope for reading. */
const never = new Set(["ask", "audit", "events", "search", "templates"].map((kind) => `${kind}:read`));

export const everyScope = readOnly.flatMap((scope) =>
  never.has(scope) ? [scope] : [scope, scope.replace(/:read$/, ":write")],
);

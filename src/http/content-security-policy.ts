// Builds the sources of content security policies.

/** A host name, with or without a port. A policy can name no IP address except this one. */
const HOST_SOURCE = /^(?:127\.0\.0\.1|(?!(?:\d+\.)*\d+(?::|$))(?:[a-z0-9-]+\.)*[a-z0-9-]+)(?::\d{1,5})?$/i;

/**
 * Returns the sources that let a page load the resource at a path of the given hosts, or everything below the path if it ends with a
 * slash. The sources have no scheme, so that of the page applies. If a policy can name none of the hosts, the source is `'self'`.
 */
export function buildPolicySources(hosts: readonly string[], path: string): string {
  const sources = [...new Set(hosts)].filter((host) => HOST_SOURCE.test(host));
  if (sources.length === 0) return "'self'";
  // A semicolon and a comma would end the source.
  const encodedPath = path.replaceAll(";", "%3B").replaceAll(",", "%2C");
  return sources.map((host) => host + encodedPath).join(" ");
}

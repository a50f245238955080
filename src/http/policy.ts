// Sources of content security policies.

/** Host names, with a port or without. Policies have no words for other addresses than this one. */
const NAMED = /^(?:127\.0\.0\.1|(?!(?:\d+\.)*\d+(?::|$))(?:[a-z0-9-]+\.)*[a-z0-9-]+)(?::\d{1,5})?$/i;

/**
 * Returns the sources that let a page load what is at a path, or below it if it ends with a slash, of the given hosts. Without
 * a scheme they have that of the page. `'self'` where a policy can name none of the hosts.
 */
export function policySources(hosts: readonly string[], path: string): string {
  const named = [...new Set(hosts)].filter((host) => NAMED.test(host));
  // Both would end the source.
  const encoded = path.replaceAll(";", "%3B").replaceAll(",", "%2C");
  return named.length === 0 ? "'self'" : named.map((host) => host + encoded).join(" ");
}

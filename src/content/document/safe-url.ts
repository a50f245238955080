// The URLs that a document may contain. A URL that a browser would run is never allowed, however it is spelled.

const SAFE_SCHEMES = new Set(["http", "https", "mailto", "tel"]);
const RASTER_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/=]*$/i;

/** Checks that a URL is relative or has a harmless scheme. The URL of an image may also contain the image itself. */
export function isSafeUrl(url: string, use: "link" | "image" = "link"): boolean {
  // Browsers skip control characters and spaces before a scheme, and tabs and line endings inside it.
  const stripped = url.replace(/[\0- \x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]+/g, "");
  const scheme = /^[^/?#]*?:/.exec(stripped)?.[0].slice(0, -1).toLowerCase();
  if (scheme === undefined || SAFE_SCHEMES.has(scheme)) return true;
  if (scheme === "data") return use === "image" && RASTER_IMAGE.test(url);
  return false;
}

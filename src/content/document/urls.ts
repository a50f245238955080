// Which addresses a document may hold. An address that a browser would run is not allowed, however it is spelled.

const SCHEMES = new Set(["http", "https", "mailto", "tel"]);
const RASTER = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/=]*$/i;

/** Whether an address is relative or of a harmless scheme. For an image it may also hold the image itself. */
export function isSafeUrl(url: string, use: "link" | "image" = "link"): boolean {
  // Browsers skip control characters and spaces before a scheme, and tabs and line endings inside it.
  const bare = url.replace(/[\0- \x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]+/g, "");
  const scheme = /^[^/?#]*?:/.exec(bare)?.[0].slice(0, -1).toLowerCase();
  if (scheme === undefined || SCHEMES.has(scheme)) return true;
  if (scheme === "data") return use === "image" && RASTER.test(url);
  return false;
}

// The package has no types of its own; these are of the data that is used of it.

declare module "markdown-it-emoji/lib/data/full.mjs" {
  /** The characters of emoji, by their short names. */
  const named: Readonly<Record<string, string>>;
  export default named;
}

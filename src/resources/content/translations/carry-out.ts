// The code that runs a translation, loaded together when first needed.

export { finish } from "./finish";
export { translateSome } from "./translate-pages";

// What a run is carried out with, loaded together when the first one begins.

export { finish } from "./finish";
export { translateSome } from "./translate-pages";

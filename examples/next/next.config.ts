import type { NextConfig } from "next";

// LevelDB is native code, and the API loads parts of itself on first use, so neither can be bundled.
export default { serverExternalPackages: ["octavo", "level", "classic-level"] } satisfies NextConfig;

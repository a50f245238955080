import type { NextConfig } from "next";

// LevelDB is native code, and the API loads parts of itself when they are first needed: neither is bundled.
export default { serverExternalPackages: ["octavo", "level", "classic-level"] } satisfies NextConfig;

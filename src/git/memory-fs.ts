// A file system for isomorphic-git that is a map: nothing of a repository touches a disk, and all of it is gone with the
// call that made it.

import type { PromiseFsClient } from "isomorphic-git";

/** The one directory that is always there. */
export const ROOT = "/repository";

/** An empty file system. Directories are wherever they are asked for. */
export function memoryFs(): PromiseFsClient {
  const files = new Map<string, Uint8Array>();
  const found = (path: string): Uint8Array => {
    const bytes = files.get(path);
    if (!bytes) throw Object.assign(new Error("There is no such file."), { code: "ENOENT" });
    return bytes;
  };
  const stat = async (path: string) => {
    const isFile = files.has(path);
    if (!isFile && path !== ROOT) found(path);
    return { isFile: () => isFile, isDirectory: () => !isFile, isSymbolicLink: () => false };
  };
  const none = async () => {};
  return {
    promises: {
      async readFile(path: string, options?: { encoding?: string } | string) {
        const bytes = found(path);
        if (options === "utf8" || (typeof options === "object" && options.encoding === "utf8"))
          return new TextDecoder().decode(bytes);
        // isomorphic-git copies an array and shares a buffer: a pack is not to be there twice.
        return bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes;
      },
      async writeFile(path: string, data: Uint8Array | string) {
        files.set(path, typeof data === "string" ? new TextEncoder().encode(data) : data);
      },
      async unlink(path: string) {
        files.delete(path);
      },
      async readdir(path: string) {
        const folder = path.endsWith("/") ? path : `${path}/`;
        const inside = [...files.keys()].filter((file) => file.startsWith(folder));
        return [...new Set(inside.map((file) => file.slice(folder.length).split("/")[0]!))];
      },
      stat,
      lstat: stat,
      mkdir: none,
      rmdir: none,
      readlink: async (path: string) => found(path),
      symlink: none,
    },
  };
}

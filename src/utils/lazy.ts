// Loads code when it is first needed, so that a process starts faster. `import()` alone would do, but asking the module loader
// again takes longer than awaiting a promise that is already there.

/** Returns a function that loads a module on its first call. A load that fails is tried again by the next call. */
export function loadLazily<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** Returns a function of a module that is loaded by the first call. */
export function callLazily<Module, Args extends unknown[], Result>(
  load: () => Promise<Module>,
  pick: (module: Module) => (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => pick(await load())(...args);
}

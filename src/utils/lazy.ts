// Code that is loaded when it is first needed, so that a process starts with less. `import()` alone would do; this keeps what
// it gave, because asking the module loader again takes longer than waiting for a promise that is kept.

/** A module that is loaded by the first who asks for it. A load that fails is tried again by the next who asks. */
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

/** A function of such a module: its first call loads the module. */
export function callLazily<Module, Given extends unknown[], Result>(
  load: () => Promise<Module>,
  pick: (module: Module) => (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result> {
  return async (...given) => pick(await load())(...given);
}

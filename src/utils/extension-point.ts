// Extension points: a lower module declares a function that it needs from an upper module, which it must not import, such as a
// rule, a count, or a cleanup when something is deleted. `operations.ts`, which knows all modules, implements each once.

/** A function of an upper module. It runs in the caller's transaction, so its changes are part of the same commit. */
export interface ExtensionPoint<Implementation> {
  readonly name: string;
  readonly implementation: Implementation;
  readonly implement: (implementation: Implementation) => void;
}

/** Declares an extension point. The name appears in the error if nothing implements it. */
export function defineExtensionPoint<Implementation>(name: string): ExtensionPoint<Implementation> {
  let filled: { readonly implementation: Implementation } | undefined;
  return {
    name,
    get implementation() {
      if (!filled) throw new Error(`Nothing fills the hook "${name}". operations.ts fills every one.`);
      return filled.implementation;
    },
    implement(implementation) {
      if (filled) throw new Error(`The hook "${name}" is filled already.`);
      filled = { implementation };
    },
  };
}

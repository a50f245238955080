// Hooks: what a lower wing needs from an upper wing, which it must not import. It may be a rule, a number or a notice
// of a deletion. The lower wing declares the hook; `operations.ts`, which knows all wings, fills every hook once.

/** A function of an upper wing. It runs where it is called, so in the same commit. */
export interface ExtensionPoint<Filling> {
  readonly name: string;
  readonly implementation: Filling;
  readonly implement: (filling: Filling) => void;
}

/** Declares a hook. The name is used in the error when the hook was not filled. */
export function defineExtensionPoint<Filling>(name: string): ExtensionPoint<Filling> {
  let held: { readonly filling: Filling } | undefined;
  return {
    name,
    get implementation() {
      if (!held) throw new Error(`Nothing fills the hook "${name}". operations.ts fills every one.`);
      return held.filling;
    },
    implement(filling) {
      if (held) throw new Error(`The hook "${name}" is filled already.`);
      held = { filling };
    },
  };
}

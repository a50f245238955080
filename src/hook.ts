// What a lower wing needs of an upper one, which it must not import: a rule, a number, or a word when something goes. The
// lower wing declares a hook and says what fills it; `operations.ts`, which knows all wings, fills every hook once.

/** A place that one filling takes. It is called where the hook stands, so in the same commit. */
export interface Hook<Filling> {
  readonly name: string;
  readonly filling: Filling;
  readonly fill: (filling: Filling) => void;
}

/** Declares a hook. Its name is what an error says when nobody has filled it. */
export function hook<Filling>(name: string): Hook<Filling> {
  let held: { readonly filling: Filling } | undefined;
  return {
    name,
    get filling() {
      if (!held) throw new Error(`Nothing fills the hook "${name}". operations.ts fills every one.`);
      return held.filling;
    },
    fill(filling) {
      if (held) throw new Error(`The hook "${name}" is filled already.`);
      held = { filling };
    },
  };
}

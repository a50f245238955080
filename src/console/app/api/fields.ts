// The state of a form: the values of its fields, and the props that connect each field to its value.

import { useState } from "preact/hooks";

/** The props by which a field shows and changes a value. */
export type BoundFields<Values> = {
  readonly [Name in keyof Values]-?: {
    readonly value: Values[Name];
    readonly onChange: (value: Values[Name]) => void;
  };
};

/** Returns the props of the fields that edit the members of an object. */
export function bindFields<Values extends object>(
  values: Values,
  onChange: (values: Values) => void,
): BoundFields<Values> {
  const bound = Object.entries(values).map(([name, value]) => [
    name,
    { value, onChange: (next: unknown) => onChange({ ...values, [name]: next }) },
  ]);
  return Object.fromEntries(bound);
}

/** Returns the values of a form, the props of its fields, and a function that changes some of the values. */
export function useFields<Values extends object>(first: Values | (() => Values)) {
  const [values, setValues] = useState(first);
  const set = (changes: Partial<Values>) => setValues((before) => ({ ...before, ...changes }));
  return { values, fields: bindFields(values, setValues), set };
}

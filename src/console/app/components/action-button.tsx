// A button that runs an action, with the error of a failure behind it.

import type { ComponentChildren } from "preact";
import { useAction } from "../api/mutations";
import { Button, type ButtonProps } from "./button";
import { ActionError } from "./loaded";

export function ActionButton({
  act,
  kind = "second",
  children,
}: {
  readonly act: () => Promise<unknown>;
  readonly kind?: NonNullable<ButtonProps["kind"]>;
  readonly children: ComponentChildren;
}) {
  const action = useAction(act);
  return (
    <>
      <Button kind={kind} action={action}>
        {children}
      </Button>
      <ActionError error={action.error} />
    </>
  );
}

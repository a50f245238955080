// Who has access to a space or a collection: what members have without more, what was given, and who sees it in the end.

import type { Collection, DefaultLevel, Space } from "../../../generated/resources";
import { useAction, write } from "../calls/writes";
import { Choice } from "../parts/field";
import { Problem } from "../parts/shown";
import { useWords } from "../words/words";
import type { Thing } from "./gather";
import { Given } from "./given";
import { InThing } from "./in-thing";
import { levelFrom, levelOptions, levelTo } from "./levels";
import { useGiven } from "./use-thing";
import { WhoSees } from "./who-sees";

export function SpaceAccess({ organization, space }: { readonly organization: string; readonly space: string }) {
  return <AccessPage organization={organization} thing={{ kind: "space", id: space }} />;
}

export function CollectionAccess({
  organization,
  collection,
}: {
  readonly organization: string;
  readonly collection: string;
}) {
  return <AccessPage organization={organization} thing={{ kind: "collection", id: collection }} />;
}

function AccessPage({ organization, thing }: { readonly organization: string; readonly thing: Thing }) {
  return (
    <InThing organization={organization} thing={thing}>
      {(it) => <Opened key={it.id} organization={organization} thing={thing} it={it} />}
    </InThing>
  );
}

function Opened({
  organization,
  thing,
  it,
}: {
  readonly organization: string;
  readonly thing: Thing;
  readonly it: Space | Collection;
}) {
  const given = useGiven(thing);
  return (
    <>
      {it.permissions.admin && <EverybodysLevel thing={thing} it={it} />}
      <WhoSees organization={organization} thing={thing} it={it} given={given} />
      <Given organization={organization} thing={thing} given={given} mayGive={it.permissions.admin} />
    </>
  );
}

function EverybodysLevel({ thing, it }: { readonly thing: Thing; readonly it: Space | Collection }) {
  const words = useWords();
  const set = useAction((defaultLevel: DefaultLevel) =>
    thing.kind === "space"
      ? write("updateSpace", { params: { spaceId: thing.id }, body: { defaultLevel } })
      : write("updateCollection", { params: { collectionId: thing.id }, body: { defaultLevel } }),
  );
  return (
    <section class="form">
      <Choice
        label={words.everybodysLevel}
        value={levelFrom(it.defaultLevel)}
        options={levelOptions(words)}
        onChange={(level) => void set.run(levelTo(level))}
        disabled={set.isBusy}
      />
      <Problem error={set.error} />
    </section>
  );
}

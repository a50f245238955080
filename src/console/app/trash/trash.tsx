// The trash of an organization: deleted spaces, which can be restored for seven days.

import type { Space } from "../../../generated/resources";
import { useList } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { PageHead } from "../parts/page-head";
import { Problem, ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { addresses } from "../routes";
import { useWords } from "../words/words";

export function Trash({ organization }: { readonly organization: string }) {
  const words = useWords();
  const params = { organizationId: organization };
  const spaces = useList("listSpaces", { params, query: { deleted: "true" } });
  return (
    <div class="page">
      <PageHead title={words.trash} above={[[words.library, addresses.organization(organization)]]} />
      <p>{words.trashWhy}</p>
      <ShownList of={spaces} empty={<p>{words.trashEmpty}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map((it) => (
              <li key={it.id}>
                <Deleted it={it} />
              </li>
            ))}
          </ul>
        )}
      </ShownList>
    </div>
  );
}

function Deleted({ it }: { readonly it: Space }) {
  const words = useWords();
  const restore = useAction(() => write("restoreSpace", { params: { spaceId: it.id } }));
  return (
    <div>
      <strong>
        <bdi>{it.title}</bdi>
      </strong>
      <small>
        <When at={it.deletedAt ?? it.updatedAt} sentence={words.deletedAt} />
      </small>
      <Button isBusy={restore.isBusy} onClick={() => void restore.run()}>
        {words.restore}
      </Button>
      <Problem error={restore.error} />
    </div>
  );
}

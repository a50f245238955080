// A drawn page whose blocks can be commented on. Each block has a button beside it, which also tells how many comments it has.

import { useState } from "preact/hooks";
import type { Markup } from "../../../utils/html";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icon";
import { Drawn, type Laid } from "../preview/preview";
import { Discussion, useComments } from "../review/discussion";
import type { Place } from "../space/place";
import { counted, filled, useWords } from "../words/words";

export function Remarkable({
  place,
  page,
  markup,
  title,
  mayComment,
}: {
  readonly place: Place;
  readonly page: string;
  readonly markup: Markup | undefined;
  readonly title: string;
  readonly mayComment: boolean;
}) {
  const words = useWords();
  const [blocks, setBlocks] = useState<readonly Laid[]>([]);
  const [opened, setOpened] = useState<Laid>();
  const params = { spaceId: place.space, changeRequestId: place.changeRequest };
  const { reading } = useComments(mayComment ? params : undefined, "open", page);
  const counts = new Map<string, number>();
  for (const { target } of reading.state === "had" ? reading.value : [])
    if (target.node) counts.set(target.node.id, (counts.get(target.node.id) ?? 0) + 1);
  const labelOf = ({ key, text }: Laid) => {
    const count = counts.get(key);
    return `${filled(words.commentOn, { block: text })}${count === undefined ? "" : ` (${counted(words, words.commentsOnBlock, count)})`}`;
  };
  return (
    <div class={mayComment ? "remarkable" : undefined}>
      <Drawn markup={markup} title={title} isWhole onLaid={setBlocks} />
      {mayComment && (
        <ul class="remarks" aria-label={words.comments}>
          {blocks.map((block) => (
            <li key={block.key} style={{ "--top": `${block.top}px` }}>
              <button
                type="button"
                data-count={counts.get(block.key)}
                aria-label={labelOf(block)}
                title={labelOf(block)}
                onClick={() => setOpened(block)}
              >
                <Icon name="comment" />
                {counts.get(block.key)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {opened && (
        <Dialog title={filled(words.commentOn, { block: opened.text })} onClose={() => setOpened(undefined)}>
          <Discussion params={params} about={{ page, node: opened.key }} mayComment />
        </Dialog>
      )}
    </div>
  );
}

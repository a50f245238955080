// A document whose blocks can be commented on. Each block has a button beside it, which also shows the number of its comments.
// The comments of a block open beside the text, which stays readable.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatMessage, formatPlural } from "../../../locales/format-message";
import type { Markup } from "../../../utils/html";
import { Button } from "../components/button";
import { Icon } from "../components/icon";
import { useMessages } from "../messages/messages";
import { type BlockPosition, PreviewFrame } from "../preview/preview";
import type { ContentPlace } from "../space/content-place";
import { Discussion, useComments } from "./discussion";

export function CommentableDocument({
  place,
  page,
  markup,
  title,
  mayComment,
}: {
  readonly place: ContentPlace;
  readonly page: string;
  readonly markup: Markup | undefined;
  readonly title: string;
  readonly mayComment: boolean;
}) {
  const messages = useMessages();
  const [blocks, setBlocks] = useState<readonly BlockPosition[]>([]);
  const [opened, setOpened] = useState<BlockPosition>();
  const params = { spaceId: place.space, changeRequestId: place.changeRequest };
  const { reading } = useComments(mayComment ? params : undefined, "open", page);
  const counts = new Map<string, number>();
  for (const { target } of reading.state === "loaded" ? reading.value : [])
    if (target.node) counts.set(target.node.id, (counts.get(target.node.id) ?? 0) + 1);
  const formatBlockLabel = ({ key, text }: BlockPosition) => {
    const count = counts.get(key);
    const label = formatMessage(messages.comments.commentOn, { block: text });
    if (count === undefined) return label;
    return `${label} (${formatPlural(messages.inLanguage, messages.comments.commentsOnBlock, count)})`;
  };
  return (
    <div class={mayComment ? "remarkable" : undefined}>
      <PreviewFrame markup={markup} title={title} isWhole onLaid={setBlocks} />
      {mayComment && (
        <ul class="remarks" aria-label={messages.comments.comments}>
          {blocks.map((block) => (
            <li key={block.key} style={{ "--top": `${block.top}px` }}>
              <button
                type="button"
                data-count={counts.get(block.key)}
                aria-label={formatBlockLabel(block)}
                title={formatBlockLabel(block)}
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
        <BlockComments
          key={opened.key}
          title={formatMessage(messages.comments.commentOn, { block: opened.text })}
          top={opened.top}
          onClose={() => setOpened(undefined)}
        >
          <Discussion params={params} about={{ page, node: opened.key }} mayComment />
        </BlockComments>
      )}
    </div>
  );
}

/** The comments of a block in a panel beside it. The focus begins in the field for a new comment, and Escape closes the panel. */
function BlockComments({
  title,
  top,
  onClose,
  children,
}: {
  readonly title: string;
  /** The position of the block in the document, in pixels. */
  readonly top: number;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const messages = useMessages();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    panel.current?.querySelector("textarea")?.focus();
    panel.current?.scrollIntoView({ block: "nearest" });
    return () => (before?.isConnected ? before : document.getElementById("content"))?.focus();
  }, []);
  return (
    <aside
      ref={panel}
      class="block-comments"
      aria-label={title}
      style={{ "--top": `${top}px` }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <Button kind="quiet" label={messages.general.close} onClick={onClose}>
        <Icon name="close" />
      </Button>
      {children}
    </aside>
  );
}

// The changes of a change request or a revision to one page, shown in the rendered page.

import { useEffect, useState } from "preact/hooks";
import type { Block } from "../../../content/document";
import { html, type Markup } from "../../../utils/html";
import { type QueryState, useQuery } from "../api/queries";
import { Loaded } from "../components/loaded";
import { useMessages } from "../messages/messages";
import type { ContentPlace, Document } from "../space/content-place";
import { useDocument } from "../space/use-document";
import { CommentableDocument } from "./commentable-document";
import type { BlockDiff } from "./diff-blocks";

/** The document of a page that does not exist. */
const none: QueryState<Document> = { state: "loaded", value: { object: "document", data: {}, nodes: [] } };

export function PageDiff({
  place,
  base,
  revision,
  page,
  kind,
  mayComment = false,
}: {
  readonly place: ContentPlace;
  /** The revision to compare with. */
  readonly base: string | undefined;
  /** The revision to show. Default: the current content of the place. */
  readonly revision?: string | undefined;
  readonly page: string;
  readonly kind: "page_created" | "page_edited" | "page_deleted";
  readonly mayComment?: boolean;
}) {
  const hasAfter = kind !== "page_deleted";
  const now = useDocument(place, hasAfter && revision === undefined ? page : undefined);
  const then = useQuery(
    "getRevisionPageDocument",
    hasAfter && revision !== undefined
      ? { params: { spaceId: place.space, revisionId: revision, pageId: page } }
      : undefined,
  );
  const after = revision === undefined ? now : then;
  const before = useQuery(
    "getRevisionPageDocument",
    kind === "page_created" || base === undefined
      ? undefined
      : { params: { spaceId: place.space, revisionId: base, pageId: page } },
  );
  return (
    <Loaded of={kind === "page_created" || base === undefined ? none : before}>
      {(old) => (
        <Loaded of={kind === "page_deleted" ? none : after}>
          {(it) => <Differences before={old} after={it} place={place} page={page} mayComment={mayComment} />}
        </Loaded>
      )}
    </Loaded>
  );
}

function Differences({
  before,
  after,
  place,
  page,
  mayComment,
}: {
  readonly before: Document;
  readonly after: Document;
  readonly place: ContentPlace;
  readonly page: string;
  readonly mayComment: boolean;
}) {
  const messages = useMessages();
  const [markup, setMarkup] = useState<Markup>();
  useEffect(() => {
    let isOver = false;
    const drawDifferences = async () => {
      const [{ diffBlocks }, { drawDocument, renderBlockMarker }] = await Promise.all([
        import("./diff-blocks"),
        import("../preview/draw-document"),
      ]);
      const draw = async (blocks: readonly Block[]) =>
        (await drawDocument({ object: "document", data: {}, nodes: [...blocks] }, place, [])).body;
      const pieces = diffBlocks(before.nodes as Block[], after.nodes as Block[]);
      const drawn = await Promise.all(
        pieces.map((piece, at) => drawPiece(piece, draw, renderBlockMarker, at > 0, at < pieces.length - 1)),
      );
      if (!isOver) setMarkup(html`<main><article>${drawn}</article></main>`);
    };
    void drawDifferences();
    return () => {
      isOver = true;
    };
  }, [before, after]);
  return (
    <CommentableDocument
      place={place}
      page={page}
      markup={markup}
      title={messages.changeRequests.changes}
      mayComment={mayComment}
    />
  );
}

/** The number of unchanged blocks that are shown around a change. */
const AROUND = 1;

async function drawPiece(
  piece: BlockDiff,
  draw: (blocks: readonly Block[]) => Promise<Markup>,
  markOf: (block: Block) => Markup | false,
  hasBefore: boolean,
  hasAfter: boolean,
): Promise<Markup> {
  if (piece.kind === "removed") {
    // Removed blocks cannot be commented on, so they get no key.
    const { key: _, ...block } = piece.block;
    return html`<del class="change block">${await draw([block as Block])}</del>`;
  }
  if (piece.kind === "added") return html`<ins class="change block">${await draw([piece.block])}</ins>`;
  if (piece.kind === "edited") {
    const words = piece.words.map(({ kind, text }) =>
      kind === "removed"
        ? html`<del class="change">${text}</del>`
        : kind === "added"
          ? html`<ins class="change">${text}</ins>`
          : html`${text}`,
    );
    const drawn = piece.before.type.startsWith("heading") ? html`<h3>${words}</h3>` : html`<p>${words}</p>`;
    return html`${markOf(piece.after)}${drawn}`;
  }
  const { blocks } = piece;
  const [first, last] = [hasBefore ? blocks.slice(0, AROUND) : [], hasAfter ? blocks.slice(-AROUND) : []];
  if (blocks.length <= first.length + last.length) return draw(blocks);
  return html`${await draw(first)}<p class="left-out">⋯</p>${await draw(last)}`;
}

// What a change request, or a revision, does to one page: the page as it is read, with what was taken out and what came in.

import { useEffect, useState } from "preact/hooks";
import type { Block } from "../../../content/document";
import { html, type Markup } from "../../../utils/html";
import { type Reading, useRead } from "../calls/reads";
import { Shown } from "../parts/shown";
import { Remarkable } from "../remarks/remarkable";
import type { Document, Place } from "../space/place";
import { useDocument } from "../space/use-document";
import { useWords } from "../words/words";
import type { Piece } from "./diff-blocks";

/** A page that is not there has nothing in it. */
const none: Reading<Document> = { state: "had", value: { object: "document", data: {}, nodes: [] } };

export function PageDiff({
  place,
  base,
  revision,
  page,
  kind,
  mayComment = false,
}: {
  readonly place: Place;
  /** The revision that is compared with. */
  readonly base: string | undefined;
  /** The revision that is compared. Default: what the place shows. */
  readonly revision?: string | undefined;
  readonly page: string;
  readonly kind: "page_created" | "page_edited" | "page_deleted";
  readonly mayComment?: boolean;
}) {
  const hasAfter = kind !== "page_deleted";
  const now = useDocument(place, hasAfter && revision === undefined ? page : undefined);
  const then = useRead(
    "getRevisionPageDocument",
    hasAfter && revision !== undefined
      ? { params: { spaceId: place.space, revisionId: revision, pageId: page } }
      : undefined,
  );
  const after = revision === undefined ? now : then;
  const before = useRead(
    "getRevisionPageDocument",
    kind === "page_created" || base === undefined
      ? undefined
      : { params: { spaceId: place.space, revisionId: base, pageId: page } },
  );
  return (
    <Shown of={kind === "page_created" || base === undefined ? none : before}>
      {(old) => (
        <Shown of={kind === "page_deleted" ? none : after}>
          {(it) => <Differences before={old} after={it} place={place} page={page} mayComment={mayComment} />}
        </Shown>
      )}
    </Shown>
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
  readonly place: Place;
  readonly page: string;
  readonly mayComment: boolean;
}) {
  const words = useWords();
  const [markup, setMarkup] = useState<Markup>();
  useEffect(() => {
    let isOver = false;
    void drawDifferences(before, after, place).then((drawn) => {
      if (!isOver) setMarkup(drawn);
    });
    return () => {
      isOver = true;
    };
  }, [before, after]);
  return <Remarkable place={place} page={page} markup={markup} title={words.changes} mayComment={mayComment} />;
}

/** Blocks around a change that are shown with it. The others are left out. */
const AROUND = 1;

async function drawDifferences(before: Document, after: Document, place: Place): Promise<Markup> {
  const [{ diffBlocks }, { drawDocument, markOf }] = await Promise.all([
    import("./diff-blocks"),
    import("../preview/draw"),
  ]);
  const draw = async (blocks: readonly Block[]) =>
    (await drawDocument({ object: "document", data: {}, nodes: [...blocks] }, place, [])).body;
  const pieces = diffBlocks(before.nodes as Block[], after.nodes as Block[]);
  const drawn = await Promise.all(
    pieces.map((piece, at) => drawPiece(piece, draw, markOf, at > 0, at < pieces.length - 1)),
  );
  return html`<main><article>${drawn}</article></main>`;
}

/** What is gone cannot be commented on. */
function withoutKey({ key: _, ...block }: Block): Block {
  return block as Block;
}

async function drawPiece(
  piece: Piece,
  draw: (blocks: readonly Block[]) => Promise<Markup>,
  markOf: (block: Block) => Markup | false,
  hasBefore: boolean,
  hasAfter: boolean,
): Promise<Markup> {
  if (piece.kind === "removed") return html`<del class="change block">${await draw([withoutKey(piece.block)])}</del>`;
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

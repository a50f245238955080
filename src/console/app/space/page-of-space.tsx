// A page of a space, or of a change request: the tree beside it, and the page to read or to edit.

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Space } from "../../../generated/resources";
import { useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { PageEditor } from "../editor/page-editor";
import { Button } from "../parts/button";
import { Menu } from "../parts/menu";
import { PageHead } from "../parts/page-head";
import { Problem, Shown } from "../parts/shown";
import { Preview } from "../preview/preview";
import { addresses } from "../routes";
import { numberIn, useWords } from "../words/words";
import { PageTree } from "./page-tree";
import { type PageInTree, type Place, paramsOf, usePages } from "./place";
import { findByPath, firstPage } from "./tree";
import { useDocument } from "./use-document";

export function PageOfSpace({
  organization,
  space,
  changeRequest,
  pagePath = "",
}: Place & { readonly pagePath?: string }) {
  const place: Place = { organization, space, changeRequest };
  const found = useRead("getSpace", { params: paramsOf(place) });
  const pages = usePages(place);
  return (
    <Shown of={found}>
      {(it) => (
        <Shown of={pages}>{(tree) => <Opened place={place} space={it} pages={tree.pages} path={pagePath} />}</Shown>
      )}
    </Shown>
  );
}

function Opened({
  place,
  space,
  pages,
  path,
}: {
  readonly place: Place;
  readonly space: Space;
  readonly pages: readonly PageInTree[];
  readonly path: string;
}) {
  const words = useWords();
  const [isDirect, setDirect] = useState(false);
  const page = path === "" || path === "~" ? firstPage(pages) : findByPath(pages, path);
  const isRequest = place.changeRequest !== undefined;
  const mayEdit = space.permissions.edit && (isRequest || space.editMode === "live");
  const isEditing = isRequest ? mayEdit : isDirect && mayEdit;
  const above: (readonly [string, string])[] = [
    [words.library, addresses.organization(place.organization)],
    [space.title, addresses.space(place.organization, place.space)],
    ...(isRequest
      ? [
          [
            `${words.changeRequest} #${place.changeRequest}`,
            addresses.changeRequest(place.organization, place.space, place.changeRequest!),
          ] as const,
        ]
      : []),
  ];
  return (
    <div class="space">
      <nav class="side" aria-label={words.pages}>
        <PageTree place={place} pages={pages} current={page?.id} mayEdit={mayEdit && (isRequest || isDirect)} />
      </nav>
      <div class="sheet">
        <PageHead title={page?.title ?? space.title} above={above}>
          {!isRequest && space.permissions.edit && (
            <EditButtons place={place} space={space} page={page} isDirect={isDirect} onDirect={setDirect} />
          )}
        </PageHead>
        {page ? (
          isEditing && page.kind === "sheet" && page.computed === undefined ? (
            <PageEditor key={page.id} place={place} pageId={page.id} pages={pages} />
          ) : (
            <ReadOnly place={place} page={page} pages={pages} />
          )
        ) : (
          <div class="empty">
            <p>{words.noPages}</p>
          </div>
        )}
      </div>
    </div>
  );
}

/** How editing begins: in a change request, or at once where the space lets it. */
function EditButtons({
  place,
  space,
  page,
  isDirect,
  onDirect,
}: {
  readonly place: Place;
  readonly space: Space;
  readonly page: PageInTree | undefined;
  readonly isDirect: boolean;
  readonly onDirect: (isDirect: boolean) => void;
}) {
  const words = useWords();
  const { route } = useLocation();
  const begin = useAction(async () => {
    const { number } = await write("createChangeRequest", { params: paramsOf(place), body: {} });
    route(
      page
        ? addresses.page(place.organization, place.space, String(number), page.path)
        : addresses.changeRequest(place.organization, place.space, number),
    );
  });
  const others = [
    ...(space.editMode === "live" && !isDirect ? [{ label: words.editHere, onSelect: () => onDirect(true) }] : []),
    {
      label: `${words.changeRequests} (${numberIn(words.inLanguage, space.changeRequests)})`,
      href: addresses.ofSpace(place.organization, place.space, "changes"),
    },
    { label: words.access, href: addresses.ofSpace(place.organization, place.space, "access") },
    ...(space.permissions.admin
      ? [{ label: words.spaceSettings, href: addresses.ofSpace(place.organization, place.space, "settings") }]
      : []),
  ];
  return (
    <>
      <Problem error={begin.error} />
      {isDirect ? (
        <Button onClick={() => onDirect(false)}>{words.done}</Button>
      ) : (
        <Button kind="first" isBusy={begin.isBusy} onClick={() => void begin.run()}>
          {words.editInChangeRequest}
        </Button>
      )}
      <Menu label={words.more}>{others}</Menu>
    </>
  );
}

function ReadOnly({
  place,
  page,
  pages,
}: {
  readonly place: Place;
  readonly page: PageInTree;
  readonly pages: readonly PageInTree[];
}) {
  const document = useDocument(place, page.kind === "sheet" ? page.id : undefined);
  if (page.kind !== "sheet") return null;
  return (
    <Shown of={document}>
      {(it) => <Preview document={it} place={place} pages={pages} title={page.title} description={page.description} />}
    </Shown>
  );
}

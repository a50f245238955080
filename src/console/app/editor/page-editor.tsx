// Edits the fields and the text of a page, with a live preview. Nothing typed is lost: drafts are stored in the browser until
// they are saved.

import { Suspense } from "preact/compat";
import { useEffect, useRef, useState } from "preact/hooks";
import lazy from "preact-iso/lazy";
import { connectionStore } from "../api/client";
import { bindFields } from "../api/fields";
import { useAction } from "../api/mutations";
import { useStore } from "../api/value-store";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { ActionError, Loaded, LoadingIndicator } from "../components/loaded";
import { useMessages } from "../messages/messages";
import { Preview } from "../preview/preview";
import {
  type ContentPlace,
  type Document,
  loadInsertable,
  type Page,
  type PageInTree,
  previewMarkdown,
  usePage,
} from "../space/content-place";
import { useDocument } from "../space/use-document";
import { drafts, type PageDraft } from "./drafts";
import { PageFields } from "./page-fields";
import { getPageFields, savePage } from "./save-page";
import { mergeTexts, splitTitle } from "./split-title";
import { unsavedStore, useHeldQuery } from "./unsaved";
import { uploadFile } from "./upload-file";

const MarkdownEditor = lazy(() => import("./markdown-editor").then((it) => it.MarkdownEditor));
const SideBySide = lazy(() => import("./side-by-side").then((it) => it.SideBySide));

export function PageEditor({
  place,
  pageId,
  pages,
  lost,
}: {
  readonly place: ContentPlace;
  readonly pageId: string;
  readonly pages: readonly PageInTree[];
  /** The reason why the page can no longer be saved: it is gone, or the permission to edit it. */
  readonly lost?: "gone" | "refused" | undefined;
}) {
  const reading = usePage(place, pageId);
  const page = useHeldQuery(reading, pageId);
  const why = lost ?? (reading.state === "failed" && page !== reading ? "refused" : undefined);
  return <Loaded of={page}>{(it) => <EditorForm place={place} page={it} pages={pages} lost={why} />}</Loaded>;
}

/** Creates the draft of a page without changes. */
function cleanDraft(page: Page): PageDraft {
  const markdown = page.markdown ?? "";
  const fields = getPageFields(page);
  return { base: { markdown, fields }, fields, ...splitTitle(markdown, page.title) };
}

function isChanged({ base, head, body, fields }: PageDraft): boolean {
  return head + body !== base.markdown || JSON.stringify(fields) !== JSON.stringify(base.fields);
}

function EditorForm({
  place,
  page,
  pages,
  lost,
}: {
  readonly place: ContentPlace;
  readonly page: Page;
  readonly pages: readonly PageInTree[];
  readonly lost: "gone" | "refused" | undefined;
}) {
  const messages = useMessages();
  const pageId = page.id;
  const [draft, setDraft] = useState(() => cleanDraft(page));
  /** Counts the texts that did not come from the keyboard, so that the editor shows them. */
  const [valueVersion, setValueVersion] = useState(0);
  const [found, setFound] = useState(() => drafts.load(place, pageId));
  const [stale, setStale] = useState<Page>();
  const [isMerged, setMerged] = useState(false);
  const [isKept, setKept] = useState(true);
  const [shows, setShows] = useState<"write" | "preview">("write");
  const latest = useRef(draft);
  latest.current = draft;
  const hasChanges = isChanged(draft);

  useEffect(() => {
    unsavedStore.set(hasChanges);
    return () => unsavedStore.set(false);
  }, [hasChanges]);

  /** The page at the last update of the draft. The page on the screen may be older than the draft. */
  const older = useRef(page);
  const isOtherVersion =
    (page.markdown ?? "") !== draft.base.markdown ||
    JSON.stringify(getPageFields(page)) !== JSON.stringify(draft.base.fields);
  const isBehind = hasChanges && lost === undefined && page !== older.current && isOtherVersion;

  // While nothing is typed here, the saves of others appear by themselves.
  useEffect(() => {
    if (isChanged(latest.current)) return;
    const clean = cleanDraft(page);
    const hasSameFields = JSON.stringify(clean.fields) === JSON.stringify(latest.current.fields);
    if (clean.base.markdown === latest.current.base.markdown && hasSameFields) return;
    setDraft(clean);
    setValueVersion((count) => count + 1);
  }, [page]);

  const keep = () => {
    if (!isChanged(latest.current)) return;
    setKept(drafts.save(place, pageId, latest.current));
  };
  useEffect(() => {
    if (!hasChanges) return undefined;
    const timer = setTimeout(keep, 300);
    return () => clearTimeout(timer);
  }, [draft]);
  useEffect(() => {
    addEventListener("pagehide", keep);
    return () => {
      removeEventListener("pagehide", keep);
      keep();
    };
  }, []);

  const replace = (next: PageDraft) => {
    latest.current = next;
    setDraft(next);
    setValueVersion((count) => count + 1);
  };

  const save = useAction(async () => {
    const sent = latest.current;
    const { outcome, page: now } = await savePage(place, pageId, sent);
    if (outcome === "stale") return setStale(takeOver(sent, now));
    setMerged(false);
    older.current = page;
    const clean = cleanDraft(now);
    if (latest.current === sent) {
      drafts.delete(place, pageId);
      // The server may have written fields into the text.
      if (clean.head + clean.body !== sent.head + sent.body) replace(clean);
      else setDraft(clean);
    } else {
      // The user kept typing during the save.
      const { body, fields } = latest.current;
      setDraft({ ...clean, body, fields });
    }
    return undefined;
  });

  const saving = useRef(save);
  saving.current = save;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      if (!saving.current.isBusy && isChanged(latest.current)) void saving.current.run();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);

  // A draft that could not be sent is sent when the server is reachable again.
  const state = useStore(connectionStore);
  const isCutOff = save.error?.reason === "network" && hasChanges;
  useEffect(() => {
    if (state === "good" && isCutOff && !saving.current.isBusy) void saving.current.run();
  }, [state]);

  /** Merges the change of another user into the draft. Returns their page if it has to be compared by hand. */
  const takeOver = (mine: PageDraft, theirs: Page): Page | undefined => {
    const other = cleanDraft(theirs);
    const base = splitTitle(mine.base.markdown, mine.base.fields.title);
    const merged = mergeTexts(base.body, mine.body, other.body);
    if (!merged.isClean) return theirs;
    const fields = { ...other.fields };
    for (const name of Object.keys(mine.fields) as (keyof PageDraft["fields"])[])
      if (mine.fields[name] !== mine.base.fields[name]) Object.assign(fields, { [name]: mine.fields[name] });
    older.current = page;
    replace({ ...other, body: merged.text, fields });
    setMerged(true);
    return undefined;
  };

  return (
    <div class="editor" data-shows={shows}>
      {found && isChanged(found) && (
        <div class="notice" role="alert">
          <p>{messages.editor.draftFound}</p>
          <Button
            kind="first"
            onClick={() => {
              replace(found);
              setFound(undefined);
            }}
          >
            {messages.editor.takeDraft}
          </Button>
          <Button
            onClick={() => {
              drafts.delete(place, pageId);
              setFound(undefined);
            }}
          >
            {messages.editor.dropDraft}
          </Button>
        </div>
      )}
      {lost && hasChanges && <LostNotice why={lost} text={draft.head + draft.body} />}
      {isBehind && !stale && (
        <div class="notice" role="alert">
          <p>{messages.editor.changedByOther}</p>
          <Button kind="first" onClick={() => setStale(takeOver(latest.current, page))}>
            {messages.editor.putTogetherNow}
          </Button>
        </div>
      )}
      {isMerged && (
        <p class="notice" role="status">
          {messages.editor.staleMerged}
        </p>
      )}
      <PageFields fields={bindFields(draft.fields, (fields) => setDraft({ ...draft, fields }))} />
      <div class="bar">
        <div class="switch">
          <Button kind={shows === "write" ? "first" : "second"} onClick={() => setShows("write")}>
            {messages.editor.write}
          </Button>
          <Button kind={shows === "preview" ? "first" : "second"} onClick={() => setShows("preview")}>
            {messages.editor.preview}
          </Button>
        </div>
        {/* The draft is saved, or at least stored in the browser. */}
        <span class="state" role="status" data-connection={state}>
          {!hasChanges
            ? messages.general.saved
            : isKept
              ? `${messages.editor.unsaved} · ${messages.editor.keptHere}`
              : messages.editor.unsaved}
        </span>
        <Button kind="first" isBusy={save.isBusy} disabled={!hasChanges} onClick={() => void save.run()}>
          {save.isBusy ? messages.general.saving : messages.general.save}
        </Button>
      </div>
      <ActionError error={save.error} />
      {isCutOff && <p class="notice">{messages.editor.savedLater}</p>}
      <div class="panes">
        <div class="pane">
          <Suspense fallback={<LoadingIndicator />}>
            <MarkdownEditor
              value={draft.body}
              valueVersion={valueVersion}
              label={messages.editor.text}
              pages={pages}
              onChange={(body) => setDraft({ ...latest.current, body })}
              insertable={() => loadInsertable(place)}
              onFile={(file) => uploadFile(place, file)}
            />
          </Suspense>
        </div>
        <div class="pane">
          <LivePreview place={place} pageId={pageId} draft={draft} pages={pages} />
        </div>
      </div>
      {stale && (
        <Dialog title={messages.editor.staleTitle} onClose={() => setStale(undefined)} isWide>
          <p>{messages.editor.staleWhy}</p>
          <Suspense fallback={<LoadingIndicator />}>
            <SideBySide
              theirs={cleanDraft(stale).body}
              ours={draft.body}
              onDone={(body) => {
                replace({ ...cleanDraft(stale), body, fields: draft.fields });
                setStale(undefined);
                void save.run();
              }}
            />
          </Suspense>
        </Dialog>
      )}
    </div>
  );
}

/** Explains why the draft can no longer be saved, and offers to copy its text. */
function LostNotice({ why, text }: { readonly why: "gone" | "refused"; readonly text: string }) {
  const messages = useMessages();
  const [isCopied, setCopied] = useState(false);
  return (
    <div class="notice" role="alert">
      <p>{why === "gone" ? messages.editor.goneNow : messages.editor.refusedNow}</p>
      <Button kind="first" onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}>
        {isCopied ? messages.account.copied : messages.editor.copyText}
      </Button>
    </div>
  );
}

/** The pause in typing after which the preview is updated. */
const PAUSE_MS = 400;

/** Previews the draft a moment after the last key. Until something is typed, it shows the stored page, which is mostly cached. */
function LivePreview({
  place,
  pageId,
  draft: { base, head, body, fields },
  pages,
}: {
  readonly place: ContentPlace;
  readonly pageId: string;
  readonly draft: PageDraft;
  readonly pages: readonly PageInTree[];
}) {
  const text = head + body;
  const [first] = useState(text);
  const [drawn, setDrawn] = useState<Document>();
  const isUntouched = drawn === undefined && text === first && text === base.markdown;
  const storedDocument = useDocument(place, isUntouched ? pageId : undefined);
  useEffect(() => {
    if (isUntouched) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(
      async () => {
        const document = await previewMarkdown(place, pageId, text, abort.signal);
        if (document && !abort.signal.aborted) setDrawn(document);
      },
      text === first ? 0 : PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  const previewDocument = drawn ?? (storedDocument.state === "loaded" ? storedDocument.value : undefined);
  return (
    <Preview
      document={previewDocument}
      place={place}
      pages={pages}
      title={fields.title}
      description={fields.description}
    />
  );
}

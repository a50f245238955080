// Edits a page: its title and fields, its text, and beside it the page as its readers will see it. Nothing typed is lost: it
// is kept in this browser until the server has it.

import { Suspense } from "preact/compat";
import { useEffect, useRef, useState } from "preact/hooks";
import lazy from "preact-iso/lazy";
import { connection } from "../calls/client";
import { useStore } from "../calls/store";
import { useAction } from "../calls/writes";
import { Button } from "../parts/button";
import { Dialog } from "../parts/dialog";
import { Problem, Shown, Waiting } from "../parts/shown";
import { Preview } from "../preview/preview";
import {
  type Document,
  insertableOf,
  type Page,
  type PageInTree,
  type Place,
  previewOf,
  usePage,
} from "../space/place";
import { useDocument } from "../space/use-document";
import { useWords } from "../words/words";
import { type Draft, draftOf, dropDraft, keepDraft } from "./drafts";
import { PageFields } from "./page-fields";
import { fieldsOf, savePage } from "./save";
import { mergeTexts, partsOf } from "./text";
import { unsaved, useHeld } from "./unsaved";
import { uploadFile } from "./upload";

const MarkdownEditor = lazy(() => import("./markdown-editor").then((it) => it.MarkdownEditor));
const SideBySide = lazy(() => import("./side-by-side").then((it) => it.SideBySide));

export function PageEditor({
  place,
  pageId,
  pages,
  lost,
}: {
  readonly place: Place;
  readonly pageId: string;
  readonly pages: readonly PageInTree[];
  /** Why nothing can be saved any more: the page is gone, or the right to change it. */
  readonly lost?: "gone" | "refused" | undefined;
}) {
  const reading = usePage(place, pageId);
  const page = useHeld(reading, pageId);
  const why = lost ?? (reading.state === "failed" && page !== reading ? "refused" : undefined);
  return <Shown of={page}>{(it) => <Editing place={place} page={it} pages={pages} lost={why} />}</Shown>;
}

/** A draft of a page on which nothing was typed yet. */
function cleanDraft(page: Page): Draft {
  const markdown = page.markdown ?? "";
  const fields = fieldsOf(page);
  return { base: { markdown, fields }, fields, ...partsOf(markdown, page.title) };
}

function isChanged({ base, head, body, fields }: Draft): boolean {
  return head + body !== base.markdown || JSON.stringify(fields) !== JSON.stringify(base.fields);
}

function Editing({
  place,
  page,
  pages,
  lost,
}: {
  readonly place: Place;
  readonly page: Page;
  readonly pages: readonly PageInTree[];
  readonly lost: "gone" | "refused" | undefined;
}) {
  const words = useWords();
  const pageId = page.id;
  const [draft, setDraft] = useState(() => cleanDraft(page));
  /** Counts the texts that came from elsewhere than the keyboard, so that the editor takes them over. */
  const [given, setGiven] = useState(0);
  const [found, setFound] = useState(() => draftOf(place, pageId));
  const [stale, setStale] = useState<Page>();
  const [isMerged, setMerged] = useState(false);
  const [isKept, setKept] = useState(true);
  const [shows, setShows] = useState<"write" | "preview">("write");
  const latest = useRef(draft);
  latest.current = draft;
  const hasChanges = isChanged(draft);

  useEffect(() => {
    unsaved.set(hasChanges);
    return () => unsaved.set(false);
  }, [hasChanges]);

  /** The page as it was when the draft was last brought up to date: what is on the screen may be older than the draft. */
  const older = useRef(page);
  const isBehind = hasChanges && lost === undefined && page !== older.current && isOther(page, draft);

  // What somebody else saved comes in by itself while nothing was typed here.
  useEffect(() => {
    if (isChanged(latest.current)) return;
    const clean = cleanDraft(page);
    if (clean.base.markdown === latest.current.base.markdown && !differ(clean, latest.current)) return;
    setDraft(clean);
    setGiven((count) => count + 1);
  }, [page]);

  const keep = () => {
    if (!isChanged(latest.current)) return;
    setKept(keepDraft(place, pageId, latest.current));
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

  const replace = (next: Draft) => {
    latest.current = next;
    setDraft(next);
    setGiven((count) => count + 1);
  };

  const save = useAction(async () => {
    const sent = latest.current;
    const { outcome, page: now } = await savePage(place, pageId, sent);
    if (outcome === "stale") return setStale(takeOver(sent, now));
    setMerged(false);
    older.current = page;
    const clean = cleanDraft(now);
    if (latest.current === sent) {
      dropDraft(place, pageId);
      // The server may have put fields into the text.
      if (clean.head + clean.body !== sent.head + sent.body) replace(clean);
      else setDraft(clean);
    } else {
      // Typing went on while it was saved.
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

  // What could not be sent is sent when the server can be reached again.
  const state = useStore(connection);
  const isCutOff = save.error?.reason === "network" && hasChanges;
  useEffect(() => {
    if (state === "good" && isCutOff && !saving.current.isBusy) void saving.current.run();
  }, [state]);

  /** Puts another's change into the draft where that is clear. Gives the page that is to be compared where it is not. */
  const takeOver = (mine: Draft, theirs: Page): Page | undefined => {
    const other = cleanDraft(theirs);
    const base = partsOf(mine.base.markdown, mine.base.fields.title);
    const merged = mergeTexts(base.body, mine.body, other.body);
    if (!merged.isClean) return theirs;
    const fields = { ...other.fields };
    for (const name of Object.keys(mine.fields) as (keyof Draft["fields"])[])
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
          <p>{words.draftFound}</p>
          <Button
            kind="first"
            onClick={() => {
              replace(found);
              setFound(undefined);
            }}
          >
            {words.takeDraft}
          </Button>
          <Button
            onClick={() => {
              dropDraft(place, pageId);
              setFound(undefined);
            }}
          >
            {words.dropDraft}
          </Button>
        </div>
      )}
      {lost && hasChanges && <LostNotice why={lost} text={draft.head + draft.body} />}
      {isBehind && !stale && (
        <div class="notice" role="alert">
          <p>{words.changedByOther}</p>
          <Button kind="first" onClick={() => setStale(takeOver(latest.current, page))}>
            {words.putTogetherNow}
          </Button>
        </div>
      )}
      {isMerged && (
        <p class="notice" role="status">
          {words.staleMerged}
        </p>
      )}
      <PageFields fields={draft.fields} onChange={(fields) => setDraft({ ...draft, fields })} />
      <div class="bar">
        <div class="switch">
          <Button kind={shows === "write" ? "first" : "second"} onClick={() => setShows("write")}>
            {words.write}
          </Button>
          <Button kind={shows === "preview" ? "first" : "second"} onClick={() => setShows("preview")}>
            {words.preview}
          </Button>
        </div>
        <State hasChanges={hasChanges} isKept={isKept} />
        <Button kind="first" isBusy={save.isBusy} disabled={!hasChanges} onClick={() => void save.run()}>
          {save.isBusy ? words.saving : words.save}
        </Button>
      </div>
      <Problem error={save.error} />
      {isCutOff && <p class="notice">{words.savedLater}</p>}
      <div class="panes">
        <div class="pane">
          <Suspense fallback={<Waiting />}>
            <MarkdownEditor
              value={draft.body}
              given={given}
              label={words.text}
              pages={pages}
              onChange={(body) => setDraft({ ...latest.current, body })}
              insertable={() => insertableOf(place)}
              onFile={(file) => uploadFile(place, file)}
            />
          </Suspense>
        </div>
        <div class="pane">
          <LivePreview place={place} pageId={pageId} draft={draft} pages={pages} />
        </div>
      </div>
      {stale && (
        <Dialog title={words.staleTitle} onClose={() => setStale(undefined)} isWide>
          <p>{words.staleWhy}</p>
          <Suspense fallback={<Waiting />}>
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

function differ(one: Draft, other: Draft): boolean {
  return JSON.stringify(one.fields) !== JSON.stringify(other.fields);
}

/** Whether a page is another one than a draft was written on. */
function isOther(page: Page, { base }: Draft): boolean {
  return (page.markdown ?? "") !== base.markdown || JSON.stringify(fieldsOf(page)) !== JSON.stringify(base.fields);
}

/** Why what was typed cannot be saved here any more, and a way to take it along. */
function LostNotice({ why, text }: { readonly why: "gone" | "refused"; readonly text: string }) {
  const words = useWords();
  const [isCopied, setCopied] = useState(false);
  return (
    <div class="notice" role="alert">
      <p>{why === "gone" ? words.goneNow : words.refusedNow}</p>
      <Button kind="first" onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}>
        {isCopied ? words.copied : words.copyText}
      </Button>
    </div>
  );
}

/** Whether what was typed is saved, or at least kept. */
function State({ hasChanges, isKept }: { readonly hasChanges: boolean; readonly isKept: boolean }) {
  const words = useWords();
  const state = useStore(connection);
  const said = !hasChanges ? words.saved : isKept ? `${words.unsaved} · ${words.keptHere}` : words.unsaved;
  return (
    <span class="state" role="status" data-connection={state}>
      {said}
    </span>
  );
}

const PAUSE_MS = 400;

/** The page as it would be, a moment after the last key. Until something is typed that is the page as it is, which was mostly
 * asked for before. */
function LivePreview({
  place,
  pageId,
  draft: { base, head, body, fields },
  pages,
}: {
  readonly place: Place;
  readonly pageId: string;
  readonly draft: Draft;
  readonly pages: readonly PageInTree[];
}) {
  const text = head + body;
  const [first] = useState(text);
  const [drawn, setDrawn] = useState<Document>();
  const isUntouched = drawn === undefined && text === first && text === base.markdown;
  const asItIs = useDocument(place, isUntouched ? pageId : undefined);
  useEffect(() => {
    if (isUntouched) return undefined;
    const asking = new AbortController();
    const timer = setTimeout(
      async () => {
        const document = await previewOf(place, pageId, text, asking.signal);
        if (document && !asking.signal.aborted) setDrawn(document);
      },
      text === first ? 0 : PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [text]);
  const shown = drawn ?? (asItIs.state === "had" ? asItIs.value : undefined);
  return <Preview document={shown} place={place} pages={pages} title={fields.title} description={fields.description} />;
}

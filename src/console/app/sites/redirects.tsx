// The redirects of a site.

import { useState } from "preact/hooks";
import type { SiteRedirect, SiteStructure } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { splitIntoChunks } from "../../../utils/chunks";
import { runMutation, useAction } from "../api/mutations";
import { useList, useQuery } from "../api/queries";
import { Button } from "../components/button";
import { Confirm } from "../components/confirm";
import { Dialog } from "../components/dialog";
import { TextField } from "../components/field";
import { FileField } from "../components/file-field";
import { Form } from "../components/form";
import { Loaded, LoadedRows } from "../components/loaded";
import { type Messages, useMessages } from "../messages/messages";
import { type ChosenTarget, fromRedirect, noTarget, toRedirect } from "./chosen-target";
import { parseRedirectLines } from "./parse-redirect-lines";
import { type OpenSite, SiteLayout, type SiteRoute } from "./site-layout";
import { collectSections, collectSiteSpaces } from "./structure/structure-rows";
import { TargetField } from "./target-field";

/** The most redirects of one request. */
const MAX_REDIRECTS = 100;

export function RedirectsPage(place: SiteRoute) {
  return <SiteLayout {...place}>{(open) => <Redirects {...open} />}</SiteLayout>;
}

function Redirects(open: OpenSite) {
  const messages = useMessages();
  const { params } = open;
  const structure = useQuery("getSiteStructure", { params });
  const list = useList("listSiteRedirects", { params });
  const [editing, setEditing] = useState<SiteRedirect | "new" | "many">();
  return (
    <Loaded of={structure}>
      {(it) => (
        <section>
          <p>{messages.redirects.redirectsWhy}</p>
          <p class="buttons">
            <Button kind="first" onClick={() => setEditing("new")}>
              {messages.redirects.newRedirect}
            </Button>
            <Button onClick={() => setEditing("many")}>{messages.redirects.manyRedirects}</Button>
          </p>
          <LoadedRows of={list} empty={messages.redirects.noRedirects}>
            {(one) => (
              <div>
                <span>
                  <code>{one.source}</code>
                  <br />
                  <small>→ {describeRedirectTarget(one, it, messages)}</small>
                </span>
                <span class="buttons">
                  <Button onClick={() => setEditing(one)}>{messages.space.edit}</Button>
                  <Confirm
                    label={messages.general.delete}
                    question={formatMessage(messages.redirects.deleteRedirectWhy, { path: one.source })}
                    act={() => runMutation("deleteSiteRedirect", { params: { ...params, siteRedirectId: one.id } })}
                  />
                </span>
              </div>
            )}
          </LoadedRows>
          {editing === "many" ? (
            <ManyRedirects {...open} onClose={() => setEditing(undefined)} />
          ) : (
            editing && (
              <EditRedirect
                params={params}
                structure={it}
                one={editing === "new" ? undefined : editing}
                onClose={() => setEditing(undefined)}
              />
            )
          )}
        </section>
      )}
    </Loaded>
  );
}

/** Describes the target of a redirect by its title or URL. */
function describeRedirectTarget({ destination }: SiteRedirect, structure: SiteStructure, messages: Messages): string {
  const space = (id: string | undefined) =>
    collectSiteSpaces(structure).find((it) => it.id === id)?.title ?? messages.redirects.notOnSite;
  switch (destination.kind) {
    case "url":
      return destination.url;
    case "page":
      return `${space(destination.siteSpaceId)} · ${messages.redirects.targetPage}`;
    case "site-space":
      return space(destination.siteSpaceId);
    case "site-section":
      return (
        collectSections(structure).find(({ id }) => id === destination.siteSectionId)?.title ??
        messages.redirects.notOnSite
      );
  }
}

function EditRedirect({
  params,
  structure,
  one,
  onClose,
}: {
  readonly params: OpenSite["params"];
  readonly structure: SiteStructure;
  readonly one: SiteRedirect | undefined;
  readonly onClose: () => void;
}) {
  const messages = useMessages();
  const [source, setSource] = useState(one?.source ?? "/");
  const [target, setTarget] = useState<ChosenTarget>(one ? fromRedirect(one.destination) : noTarget);
  const [isWrong, setWrong] = useState(false);
  const save = useAction(async () => {
    const destination = toRedirect(target);
    setWrong(!destination);
    if (!destination) return;
    if (one)
      await runMutation("updateSiteRedirect", {
        params: { ...params, siteRedirectId: one.id },
        body: { source, destination },
      });
    else await runMutation("createSiteRedirect", { params, body: { source, destination } });
    onClose();
  });
  return (
    <Dialog title={one ? messages.redirects.editRedirect : messages.redirects.newRedirect} onClose={onClose}>
      <Form action={save} submit={messages.general.save} onCancel={onClose}>
        <TextField
          label={messages.redirects.redirectSource}
          hint={messages.redirects.redirectSourceHint}
          value={source}
          onChange={setSource}
          required
          autoFocus
        />
        <TargetField structure={structure} value={target} onChange={setTarget} />
        {isWrong && (
          <p class="wrong" role="alert">
            {messages.redirects.chooseTarget}
          </p>
        )}
      </Form>
    </Dialog>
  );
}

function ManyRedirects({ params, site, onClose }: OpenSite & { readonly onClose: () => void }) {
  const messages = useMessages();
  const [text, setText] = useState("");
  const [done, setDone] = useState(0);
  const { redirects, wrong } = parseRedirectLines(text, site.urls.published);
  const add = useAction(async () => {
    if (wrong.length > 0 || redirects.length === 0) return;
    for (const part of splitIntoChunks(redirects.slice(done), MAX_REDIRECTS)) {
      await runMutation("createSiteRedirects", {
        params,
        body: { redirects: part.map(({ source, url }) => ({ source, destination: { kind: "url" as const, url } })) },
      });
      setDone((before) => before + part.length);
    }
    onClose();
  });
  return (
    <Dialog title={messages.redirects.manyRedirects} onClose={onClose}>
      <Form
        action={add}
        submit={formatMessage(messages.redirects.addCount, { count: redirects.length })}
        onCancel={onClose}
      >
        <FileField
          label={messages.redirects.fromFile}
          accept=".csv,.tsv,.txt,text/plain,text/csv"
          onChange={([file]) => {
            setDone(0);
            if (file) void file.text().then(setText);
          }}
        />
        <TextField
          label={messages.redirects.redirectLines}
          hint={messages.redirects.redirectLinesHint}
          wrong={
            wrong.length > 0
              ? formatMessage(messages.redirects.wrongLines, { lines: wrong.slice(0, 20).join(", ") })
              : undefined
          }
          value={text}
          onChange={(next) => {
            setText(next);
            setDone(0);
          }}
          rows={10}
          isCode
        />
        {done > 0 && <p role="status">{formatMessage(messages.jobs.doneOf, { done, total: redirects.length })}</p>}
      </Form>
    </Dialog>
  );
}

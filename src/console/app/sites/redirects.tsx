// The redirects of a site.

import { useState } from "preact/hooks";
import type { SiteRedirect, SiteStructure } from "../../../generated/resources";
import { splitIntoChunks } from "../../../utils/chunks";
import { runMutation, useAction, useList, useQuery } from "../api/api";
import { useField } from "../api/fields";
import { Button } from "../components/button";
import { Confirm } from "../components/confirm";
import { Dialog } from "../components/dialog";
import { Form, TextField } from "../components/fields";
import { FileField } from "../components/file-field";
import { Loaded, LoadedRows } from "../components/page";
import { fillMessage, type Messages, useMessages } from "../messages/messages";
import { type ChosenTarget, fromRedirect, noTarget, toRedirect } from "./chosen-target";
import { parseRedirectLines } from "./parse-redirect-lines";
import { type OpenSite, SiteLayout, type SiteRoute } from "./site-layout";
import { collectSections, collectSiteSpaces } from "./structure/structure-rows";
import { TargetField } from "./target-field";

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
          <p>{messages.redirectsWhy}</p>
          <p class="buttons">
            <Button kind="first" onClick={() => setEditing("new")}>
              {messages.newRedirect}
            </Button>
            <Button onClick={() => setEditing("many")}>{messages.manyRedirects}</Button>
          </p>
          <LoadedRows of={list} empty={messages.noRedirects}>
            {(one) => (
              <div>
                <span>
                  <code>{one.source}</code>
                  <br />
                  <small>→ {describeRedirectTarget(one, it, messages)}</small>
                </span>
                <span class="buttons">
                  <Button onClick={() => setEditing(one)}>{messages.edit}</Button>
                  <Confirm
                    label={messages.delete}
                    question={fillMessage(messages.deleteRedirectWhy, { path: one.source })}
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
    collectSiteSpaces(structure).find((it) => it.id === id)?.title ?? messages.notOnSite;
  switch (destination.kind) {
    case "url":
      return destination.url;
    case "page":
      return `${space(destination.siteSpaceId)} · ${messages.targetPage}`;
    case "site-space":
      return space(destination.siteSpaceId);
    case "site-section":
      return collectSections(structure).find(({ id }) => id === destination.siteSectionId)?.title ?? messages.notOnSite;
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
  const source = useField(one?.source ?? "/");
  const target = useField<ChosenTarget>(one ? fromRedirect(one.destination) : noTarget);
  const [isWrong, setWrong] = useState(false);
  const save = useAction(async () => {
    const destination = toRedirect(target.value);
    setWrong(!destination);
    if (!destination) return;
    if (one)
      await runMutation("updateSiteRedirect", {
        params: { ...params, siteRedirectId: one.id },
        body: { source: source.value, destination },
      });
    else await runMutation("createSiteRedirect", { params, body: { source: source.value, destination } });
    onClose();
  });
  return (
    <Dialog title={one ? messages.editRedirect : messages.newRedirect} onClose={onClose}>
      <Form action={save} submit={messages.save} onCancel={onClose}>
        <TextField label={messages.redirectSource} hint={messages.redirectSourceHint} {...source} required autoFocus />
        <TargetField structure={structure} {...target} />
        {isWrong && (
          <p class="wrong" role="alert">
            {messages.chooseTarget}
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
    <Dialog title={messages.manyRedirects} onClose={onClose}>
      <Form action={add} submit={fillMessage(messages.addCount, { count: redirects.length })} onCancel={onClose}>
        <FileField
          label={messages.fromFile}
          accept=".csv,.tsv,.txt,text/plain,text/csv"
          onChange={([file]) => {
            setDone(0);
            if (file) void file.text().then(setText);
          }}
        />
        <TextField
          label={messages.redirectLines}
          hint={messages.redirectLinesHint}
          wrong={
            wrong.length > 0 ? fillMessage(messages.wrongLines, { lines: wrong.slice(0, 20).join(", ") }) : undefined
          }
          value={text}
          onChange={(next) => {
            setText(next);
            setDone(0);
          }}
          rows={10}
          isCode
        />
        {done > 0 && <p role="status">{fillMessage(messages.doneOf, { done, total: redirects.length })}</p>}
      </Form>
    </Dialog>
  );
}

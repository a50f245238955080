// Redirects of a site: paths that lead somewhere else.

import { useState } from "preact/hooks";
import type { SiteRedirect, SiteStructure } from "../../../generated/resources";
import { useList, useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Confirm } from "../parts/confirm";
import { Dialog } from "../parts/dialog";
import { TextField } from "../parts/field";
import { Form } from "../parts/form";
import { Shown, ShownList } from "../parts/shown";
import { filled, useWords, type Words } from "../words/words";
import { InSite, type OpenSite, type SitePlace } from "./in-site";
import { inParts, readLines } from "./redirect-lines";
import { sectionsIn, siteSpacesIn } from "./structure/rows";
import { fromRedirect, noTarget, type Target, toRedirect } from "./target";
import { TargetField } from "./target-field";

export function RedirectsPage(place: SitePlace) {
  return <InSite {...place}>{(open) => <Redirects {...open} />}</InSite>;
}

function Redirects(open: OpenSite) {
  const words = useWords();
  const { params } = open;
  const structure = useRead("getSiteStructure", { params });
  const list = useList("listSiteRedirects", { params });
  const [editing, setEditing] = useState<SiteRedirect | "new" | "many">();
  return (
    <Shown of={structure}>
      {(it) => (
        <section>
          <p>{words.redirectsWhy}</p>
          <p class="buttons">
            <Button kind="first" onClick={() => setEditing("new")}>
              {words.newRedirect}
            </Button>
            <Button onClick={() => setEditing("many")}>{words.manyRedirects}</Button>
          </p>
          <ShownList of={list} empty={<p>{words.noRedirects}</p>}>
            {(items) => (
              <ul class="rows">
                {items.map((one) => (
                  <li key={one.id}>
                    <div>
                      <span>
                        <code>{one.source}</code>
                        <br />
                        <small>→ {targetName(one, it, words)}</small>
                      </span>
                      <span class="buttons">
                        <Button onClick={() => setEditing(one)}>{words.edit}</Button>
                        <Confirm
                          label={words.delete}
                          question={filled(words.deleteRedirectWhy, { path: one.source })}
                          act={() => write("deleteSiteRedirect", { params: { ...params, siteRedirectId: one.id } })}
                        />
                      </span>
                    </div>
                  </li>
                ))}
              </ul>
            )}
          </ShownList>
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
    </Shown>
  );
}

/** Where a redirect leads, as people know it. */
function targetName({ destination }: SiteRedirect, structure: SiteStructure, words: Words): string {
  const space = (id: string | undefined) =>
    siteSpacesIn(structure).find((it) => it.id === id)?.title ?? words.notOnSite;
  switch (destination.kind) {
    case "url":
      return destination.url;
    case "page":
      return `${space(destination.siteSpaceId)} · ${words.targetPage}`;
    case "site-space":
      return space(destination.siteSpaceId);
    case "site-section":
      return sectionsIn(structure).find(({ id }) => id === destination.siteSectionId)?.title ?? words.notOnSite;
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
  const words = useWords();
  const [source, setSource] = useState(one?.source ?? "/");
  const [target, setTarget] = useState<Target>(one ? fromRedirect(one.destination) : noTarget);
  const [isWrong, setWrong] = useState(false);
  const save = useAction(async () => {
    const destination = toRedirect(target);
    setWrong(!destination);
    if (!destination) return;
    if (one)
      await write("updateSiteRedirect", {
        params: { ...params, siteRedirectId: one.id },
        body: { source, destination },
      });
    else await write("createSiteRedirect", { params, body: { source, destination } });
    onClose();
  });
  return (
    <Dialog title={one ? words.editRedirect : words.newRedirect} onClose={onClose}>
      <Form action={save} submit={words.save} onCancel={onClose}>
        <TextField
          label={words.redirectSource}
          hint={words.redirectSourceHint}
          value={source}
          onInput={setSource}
          required
          autoFocus
        />
        <TargetField structure={structure} value={target} onChange={setTarget} />
        {isWrong && (
          <p class="wrong" role="alert">
            {words.chooseTarget}
          </p>
        )}
      </Form>
    </Dialog>
  );
}

function ManyRedirects({ params, site, onClose }: OpenSite & { readonly onClose: () => void }) {
  const words = useWords();
  const [text, setText] = useState("");
  const [done, setDone] = useState(0);
  const { redirects, wrong } = readLines(text, site.urls.published);
  const add = useAction(async () => {
    if (wrong.length > 0 || redirects.length === 0) return;
    for (const part of inParts(redirects.slice(done))) {
      await write("createSiteRedirects", {
        params,
        body: { redirects: part.map(({ source, url }) => ({ source, destination: { kind: "url" as const, url } })) },
      });
      setDone((before) => before + part.length);
    }
    onClose();
  });
  return (
    <Dialog title={words.manyRedirects} onClose={onClose}>
      <Form action={add} submit={filled(words.addCount, { count: redirects.length })} onCancel={onClose}>
        <div class="field">
          <label for="redirect-file">{words.fromFile}</label>
          <input
            id="redirect-file"
            type="file"
            accept=".csv,.tsv,.txt,text/plain,text/csv"
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              setDone(0);
              if (file) void file.text().then(setText);
            }}
          />
        </div>
        <TextField
          label={words.redirectLines}
          hint={words.redirectLinesHint}
          wrong={wrong.length > 0 ? filled(words.wrongLines, { lines: wrong.slice(0, 20).join(", ") }) : undefined}
          value={text}
          onInput={(next) => {
            setText(next);
            setDone(0);
          }}
          rows={10}
          isCode
        />
        {done > 0 && <p role="status">{filled(words.doneOf, { done, total: redirects.length })}</p>}
      </Form>
    </Dialog>
  );
}

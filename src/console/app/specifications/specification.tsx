// A specification: its state, its versions, its visibility, and its import into a space.

import { useState } from "preact/hooks";
import type { OpenApiSpec } from "../../../generated/resources";
import { call, runMutation, useAction, useList, useQuery } from "../api/api";
import { toOptions, useField } from "../api/fields";
import { Button } from "../components/button";
import { Confirm } from "../components/confirm";
import { Copyable, CopyButton } from "../components/copy";
import { Choice, Form, TextField } from "../components/fields";
import { ActionError, Loaded, LoadedRows, PageHead, RelativeTime } from "../components/page";
import { ScrollRegion } from "../components/scroll-region";
import { WorkProgress } from "../components/work-progress";
import { fillMessage, useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { noSource, SourceFields } from "./source-fields";
import { getSpecState } from "./spec-state";
import { Status } from "./status";

interface SpecificationPath {
  readonly organization: string;
  readonly it: OpenApiSpec;
  readonly params: { readonly organizationId: string; readonly specSlug: string };
}

export function SpecificationPage({ organization, spec }: { readonly organization: string; readonly spec: string }) {
  const messages = useMessages();
  const params = { organizationId: organization, specSlug: spec };
  const found = useQuery("getOpenApiSpec", { params });
  const refresh = useAction((url: string) => runMutation("putOpenApiSpec", { params, body: { source: { url } } }));
  return (
    <Loaded of={found}>
      {(it) => {
        const at: SpecificationPath = { organization, it, params };
        const state = getSpecState(it);
        return (
          <div class="page">
            <PageHead title={it.slug} above={[[messages.specifications, addresses.part(organization, "openapi")]]}>
              {it.permissions.edit && it.sourceURL !== undefined && (
                <>
                  <ActionError error={refresh.error} />
                  <Button
                    isBusy={refresh.isBusy}
                    disabled={state === "working"}
                    onClick={() => void refresh.run(it.sourceURL ?? "")}
                  >
                    {messages.lookAgain}
                  </Button>
                </>
              )}
            </PageHead>
            <section>
              <p class="glance">
                <Status of={it} />{" "}
                {it.lastProcessedAt !== undefined && (
                  <RelativeTime at={it.lastProcessedAt} sentence={messages.lookedAt} />
                )}
              </p>
              {it.sourceURL !== undefined && (
                <p>
                  <code>{it.sourceURL}</code>
                </p>
              )}
              {state === "working" && <WorkProgress work="openapi-spec" id={it.slug} known={it.progress} />}
              {it.lastProcessErrorCode !== undefined && (
                <div class="problem" role="alert">
                  <p>
                    {
                      {
                        FETCH_TIMEOUT: messages.specTimeout,
                        FETCH_ERROR: messages.specUnreachable,
                        PARSE_ERROR: messages.specUnreadable,
                      }[it.lastProcessErrorCode]
                    }
                  </p>
                  {it.lastProcessErrorMessage !== undefined && <p class="told">{it.lastProcessErrorMessage}</p>}
                  {it.lastVersion !== undefined && <p>{messages.specStays}</p>}
                </div>
              )}
            </section>
            <Versions {...at} />
            {it.permissions.edit && (
              <>
                <AddToSpace {...at} />
                <SourceForm key={it.updatedAt} {...at} />
                <Visibility {...at} />
                <section>
                  <Confirm
                    label={messages.deleteSpec}
                    question={fillMessage(messages.deleteSpecWhy, { title: it.slug })}
                    act={async () => {
                      await runMutation("deleteOpenApiSpec", { params });
                      location.assign(addresses.part(organization, "openapi"));
                    }}
                  />
                </section>
              </>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

function Versions({ params, it }: SpecificationPath) {
  const messages = useMessages();
  const list = useList("listOpenApiSpecVersions", { params });
  const [text, setText] = useState<{ readonly version: string; readonly content: string }>();
  const show = useAction(async (versionId: string) => {
    const result = await call("getOpenApiSpecText", { params: { ...params, versionId } });
    if (!result.ok) throw result.error;
    setText({ version: versionId, content: await result.value.text() });
  });
  return (
    <section>
      <h2>{messages.versions}</h2>
      <ActionError error={show.error} />
      <LoadedRows of={list} empty={messages.noVersions}>
        {(one) => (
          <div>
            <span>
              <strong>{one.createdAt === undefined ? one.id : <RelativeTime at={one.createdAt} />}</strong>
              {one.id === it.lastVersion && <small> · {messages.newestVersion}</small>}
            </span>
            <Button
              onClick={() => (text?.version === one.id ? setText(undefined) : void show.run(one.id))}
              isBusy={show.isBusy}
            >
              {text?.version === one.id ? messages.hide : messages.show}
            </Button>
            {text?.version === one.id && (
              <div class="source">
                <ScrollRegion label={messages.specText}>
                  <pre>{text.content}</pre>
                </ScrollRegion>
              </div>
            )}
          </div>
        )}
      </LoadedRows>
    </section>
  );
}

/** Adds a page to a space that has a page for every operation and follows the specification. */
function AddToSpace({ organization, it }: SpecificationPath) {
  const messages = useMessages();
  const { reading } = useList("listSpaces", { params: { organizationId: organization } });
  const space = useField("");
  const title = useField("API");
  const [made, setMade] = useState<string>();
  const insert = useAction(async () => {
    const computed = { type: "builtin:openapi", props: { spec: it.slug, models: true } };
    await runMutation("changeContent", {
      params: { spaceId: space.value },
      body: { changes: [{ operation: "insert_page", type: "computed", title: title.value, computed }] },
    });
    setMade(space.value);
  });
  const spaces = reading.state === "loaded" ? reading.value : [];
  const mine = spaces.filter(({ permissions, editMode }) => permissions.edit && editMode === "live");
  const block = `{% openapi-operation spec="${it.slug}" path="/…" method="get" %}{% endopenapi-operation %}`;
  return (
    <section>
      <h2>{messages.specIntoSpace}</h2>
      <p>{messages.specIntoSpaceWhy}</p>
      <Form action={insert} submit={messages.insert}>
        <Choice
          label={messages.space}
          hint={reading.state === "loaded" && mine.length === 0 ? messages.noSpaceToEdit : undefined}
          {...space}
          required
          options={toOptions(mine, "—")}
        />
        <TextField label={messages.pageTitle} {...title} required maxLength={255} />
      </Form>
      {made !== undefined && (
        <p role="status">
          {messages.specInserted} <a href={addresses.space(organization, made)}>{messages.openSpace}</a>
        </p>
      )}
      <Copyable>{[[messages.specBlock, block]]}</Copyable>
    </section>
  );
}

function SourceForm({ it, params }: SpecificationPath) {
  const messages = useMessages();
  const source = useField({ ...noSource, url: it.sourceURL ?? "" });
  const replace = useAction(() =>
    runMutation("putOpenApiSpec", {
      params,
      body: { source: source.value.kind === "url" ? { url: source.value.url.trim() } : { text: source.value.text } },
    }),
  );
  return (
    <section>
      <h2>{messages.specReplace}</h2>
      <p>{messages.specReplaceWhy}</p>
      <Form action={replace} submit={messages.specReplace}>
        <SourceFields {...source} />
      </Form>
    </section>
  );
}

function Visibility({ it, params }: SpecificationPath) {
  const messages = useMessages();
  const visibility = useField(it.visibility);
  const save = useAction(() => runMutation("updateOpenApiSpec", { params, body: { visibility: visibility.value } }));
  return (
    <section>
      <h2>{messages.whoReadsSpec}</h2>
      <Form action={save} submit={messages.save}>
        <Choice
          label={messages.whoReadsSpec}
          hint={messages.whoReadsSpecHint}
          {...visibility}
          options={{ private: messages.specPrivate, public: messages.specPublic }}
        />
      </Form>
      {it.urls.published !== undefined && (
        <p class="address">
          <code>{it.urls.published}</code> <CopyButton value={it.urls.published} />
        </p>
      )}
    </section>
  );
}

// A specification: its state, its versions, its visibility, and its import into a space.

import { useState } from "preact/hooks";
import type { OpenApiSpec } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { call } from "../api/client";
import { runMutation, useAction } from "../api/mutations";
import { useList, useQuery } from "../api/queries";
import { Button } from "../components/button";
import { Confirm } from "../components/confirm";
import { Copyable, CopyButton } from "../components/copy";
import { Choice, TextField } from "../components/field";
import { Form } from "../components/form";
import { ActionError, Loaded, LoadedRows } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { RelativeTime } from "../components/relative-time";
import { ScrollRegion } from "../components/scroll-region";
import { WorkProgress } from "../components/work-progress";
import { useMessages } from "../messages/messages";
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
            <PageHead
              title={it.slug}
              above={[[messages.layout.specifications, addresses.part(organization, "openapi")]]}
            >
              {it.permissions.edit && it.sourceURL !== undefined && (
                <>
                  <ActionError error={refresh.error} />
                  <Button
                    isBusy={refresh.isBusy}
                    disabled={state === "working"}
                    onClick={() => void refresh.run(it.sourceURL ?? "")}
                  >
                    {messages.specifications.lookAgain}
                  </Button>
                </>
              )}
            </PageHead>
            <section>
              <p class="glance">
                <Status of={it} />{" "}
                {it.lastProcessedAt !== undefined && (
                  <RelativeTime at={it.lastProcessedAt} sentence={messages.specifications.lookedAt} />
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
                        FETCH_TIMEOUT: messages.specifications.specTimeout,
                        FETCH_ERROR: messages.specifications.specUnreachable,
                        PARSE_ERROR: messages.specifications.specUnreadable,
                      }[it.lastProcessErrorCode]
                    }
                  </p>
                  {it.lastProcessErrorMessage !== undefined && <p class="told">{it.lastProcessErrorMessage}</p>}
                  {it.lastVersion !== undefined && <p>{messages.specifications.specStays}</p>}
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
                    label={messages.specifications.deleteSpec}
                    question={formatMessage(messages.specifications.deleteSpecWhy, { title: it.slug })}
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
      <h2>{messages.specifications.versions}</h2>
      <ActionError error={show.error} />
      <LoadedRows of={list} empty={messages.specifications.noVersions}>
        {(one) => (
          <div>
            <span>
              <strong>
                {one.createdAt === undefined ? (
                  one.id
                ) : (
                  <time dateTime={one.createdAt}>
                    {new Date(one.createdAt).toLocaleString(messages.inLanguage, {
                      dateStyle: "medium",
                      timeStyle: "short",
                    })}
                  </time>
                )}
              </strong>
              {one.id === it.lastVersion && <small> · {messages.specifications.newestVersion}</small>}
            </span>
            <Button
              onClick={() => (text?.version === one.id ? setText(undefined) : void show.run(one.id))}
              isBusy={show.isBusy}
            >
              {text?.version === one.id ? messages.specifications.hide : messages.comments.show}
            </Button>
            {text?.version === one.id && (
              <div class="source">
                <ScrollRegion label={messages.specifications.specText}>
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
  const [space, setSpace] = useState("");
  const [title, setTitle] = useState("API");
  const [made, setMade] = useState<string>();
  const insert = useAction(async () => {
    const computed = { type: "builtin:openapi", props: { spec: it.slug, models: true } };
    await runMutation("changeContent", {
      params: { spaceId: space },
      body: { changes: [{ operation: "insert_page", type: "computed", title, computed }] },
    });
    setMade(space);
  });
  const spaces = reading.state === "loaded" ? reading.value : [];
  const mine = spaces.filter(({ permissions, editMode }) => permissions.edit && editMode === "live");
  const block = `{% openapi-operation spec="${it.slug}" path="/…" method="get" %}{% endopenapi-operation %}`;
  return (
    <section>
      <h2>{messages.specifications.specIntoSpace}</h2>
      <p>{messages.specifications.specIntoSpaceWhy}</p>
      <Form action={insert} submit={messages.specifications.insert}>
        <Choice
          label={messages.site.space}
          hint={reading.state === "loaded" && mine.length === 0 ? messages.specifications.noSpaceToEdit : undefined}
          value={space}
          onChange={setSpace}
          required
          options={[["", "—"], ...mine.map((one) => [one.id, one.title] as const)]}
        />
        <TextField label={messages.editor.pageTitle} value={title} onChange={setTitle} required maxLength={255} />
      </Form>
      {made !== undefined && (
        <p role="status">
          {messages.specifications.specInserted}{" "}
          <a href={addresses.space(organization, made)}>{messages.specifications.openSpace}</a>
        </p>
      )}
      <Copyable>{[[messages.specifications.specBlock, block]]}</Copyable>
    </section>
  );
}

function SourceForm({ it, params }: SpecificationPath) {
  const messages = useMessages();
  const [source, setSource] = useState({ ...noSource, url: it.sourceURL ?? "" });
  const replace = useAction(() =>
    runMutation("putOpenApiSpec", {
      params,
      body: { source: source.kind === "url" ? { url: source.url.trim() } : { text: source.text } },
    }),
  );
  return (
    <section>
      <h2>{messages.specifications.specReplace}</h2>
      <p>{messages.specifications.specReplaceWhy}</p>
      <Form action={replace} submit={messages.specifications.specReplace}>
        <SourceFields value={source} onChange={setSource} />
      </Form>
    </section>
  );
}

function Visibility({ it, params }: SpecificationPath) {
  const messages = useMessages();
  const [visibility, setVisibility] = useState(it.visibility);
  const save = useAction(() => runMutation("updateOpenApiSpec", { params, body: { visibility } }));
  return (
    <section>
      <Form action={save} submit={messages.general.save}>
        <Choice
          label={messages.specifications.whoReadsSpec}
          hint={messages.specifications.whoReadsSpecHint}
          value={visibility}
          onChange={setVisibility}
          options={[
            ["private", messages.specifications.specPrivate],
            ["public", messages.specifications.specPublic],
          ]}
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

// A specification: its state, its versions, who may read it, and its way into a space.

import { useState } from "preact/hooks";
import type { OpenApiSpec } from "../../../generated/resources";
import { call } from "../calls/client";
import { useList, useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Confirm } from "../parts/confirm";
import { Copyable, CopyButton } from "../parts/copy";
import { Choice, TextField } from "../parts/field";
import { Form } from "../parts/form";
import { PageHead } from "../parts/page-head";
import { Scrolls } from "../parts/scrolls";
import { Problem, Shown, ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { WorkProgress } from "../parts/work-progress";
import { addresses } from "../routes";
import { filled, useWords } from "../words/words";
import { noSource, SourceFields, sourceBody } from "./source-fields";
import { errorWords, stateOf, stateWords } from "./state";

interface At {
  readonly organization: string;
  readonly it: OpenApiSpec;
  readonly params: { readonly organizationId: string; readonly specSlug: string };
}

export function SpecificationPage({ organization, spec }: { readonly organization: string; readonly spec: string }) {
  const words = useWords();
  const params = { organizationId: organization, specSlug: spec };
  const found = useRead("getOpenApiSpec", { params });
  return (
    <Shown of={found}>
      {(it) => {
        const at: At = { organization, it, params };
        return (
          <div class="page">
            <PageHead title={it.slug} above={[[words.specifications, addresses.part(organization, "openapi")]]}>
              {it.permissions.edit && it.sourceURL !== undefined && <AgainButton {...at} />}
            </PageHead>
            <State {...at} />
            <Versions {...at} />
            {it.permissions.edit && (
              <>
                <IntoSpace {...at} />
                <NewSource key={it.updatedAt} {...at} />
                <Visibility {...at} />
                <section>
                  <Confirm
                    label={words.deleteSpec}
                    question={filled(words.deleteSpecWhy, { title: it.slug })}
                    act={async () => {
                      await write("deleteOpenApiSpec", { params });
                      location.assign(addresses.part(organization, "openapi"));
                    }}
                  />
                </section>
              </>
            )}
          </div>
        );
      }}
    </Shown>
  );
}

/** Looks at the address once more. */
function AgainButton({ it, params }: At) {
  const words = useWords();
  const again = useAction(() => write("putOpenApiSpec", { params, body: { source: { url: it.sourceURL ?? "" } } }));
  return (
    <>
      <Problem error={again.error} />
      <Button isBusy={again.isBusy} disabled={stateOf(it) === "working"} onClick={() => void again.run()}>
        {words.lookAgain}
      </Button>
    </>
  );
}

function State({ it }: At) {
  const words = useWords();
  const state = stateOf(it);
  const [label, tone] = stateWords(words)[state];
  return (
    <section>
      <p class="glance">
        <span class={`status ${tone}`}>{label}</span>{" "}
        {it.lastProcessedAt !== undefined && <When at={it.lastProcessedAt} sentence={words.lookedAt} />}
      </p>
      {it.sourceURL !== undefined && (
        <p>
          <code>{it.sourceURL}</code>
        </p>
      )}
      {state === "working" && <WorkProgress work="openapi-spec" id={it.slug} known={it.progress} />}
      {it.lastProcessErrorCode !== undefined && (
        <div class="problem" role="alert">
          <p>{errorWords(words)[it.lastProcessErrorCode]}</p>
          {it.lastProcessErrorMessage !== undefined && <p class="told">{it.lastProcessErrorMessage}</p>}
          {it.lastVersion !== undefined && <p>{words.specStays}</p>}
        </div>
      )}
    </section>
  );
}

function Versions({ params, it }: At) {
  const words = useWords();
  const list = useList("listOpenApiSpecVersions", { params });
  const [text, setText] = useState<{ readonly version: string; readonly content: string }>();
  const show = useAction(async (versionId: string) => {
    const result = await call("getOpenApiSpecText", { params: { ...params, versionId } });
    if (!result.ok) throw result.error;
    setText({ version: versionId, content: await result.value.text() });
  });
  return (
    <section>
      <h2>{words.versions}</h2>
      <Problem error={show.error} />
      <ShownList of={list} empty={<p>{words.noVersions}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map((one) => (
              <li key={one.id}>
                <div>
                  <span>
                    <strong>{one.createdAt === undefined ? one.id : <When at={one.createdAt} />}</strong>
                    {one.id === it.lastVersion && <small> · {words.newestVersion}</small>}
                  </span>
                  <Button
                    onClick={() => (text?.version === one.id ? setText(undefined) : void show.run(one.id))}
                    isBusy={show.isBusy}
                  >
                    {text?.version === one.id ? words.hide : words.show}
                  </Button>
                  {text?.version === one.id && (
                    <div class="source">
                      <Scrolls label={words.specText}>
                        <pre>{text.content}</pre>
                      </Scrolls>
                    </div>
                  )}
                </div>
              </li>
            ))}
          </ul>
        )}
      </ShownList>
    </section>
  );
}

/** A page of a space that holds a page for every operation, and follows the specification. */
function IntoSpace({ organization, it }: At) {
  const words = useWords();
  const { reading } = useList("listSpaces", { params: { organizationId: organization } });
  const [space, setSpace] = useState("");
  const [title, setTitle] = useState("API");
  const [made, setMade] = useState<string>();
  const insert = useAction(async () => {
    const computed = { type: "builtin:openapi", props: { spec: it.slug, models: true } };
    await write("changeContent", {
      params: { spaceId: space },
      body: { changes: [{ operation: "insert_page", type: "computed", title, computed }] },
    });
    setMade(space);
  });
  const spaces = reading.state === "had" ? reading.value : [];
  const mine = spaces.filter(({ permissions, editMode }) => permissions.edit && editMode === "live");
  const block = `{% openapi-operation spec="${it.slug}" path="/…" method="get" %}{% endopenapi-operation %}`;
  return (
    <section>
      <h2>{words.specIntoSpace}</h2>
      <p>{words.specIntoSpaceWhy}</p>
      <Form action={insert} submit={words.insert}>
        <Choice
          label={words.space}
          hint={reading.state === "had" && mine.length === 0 ? words.noSpaceToEdit : undefined}
          value={space}
          onChange={setSpace}
          required
          options={[["", "—"], ...mine.map((one) => [one.id, one.title] as const)]}
        />
        <TextField label={words.pageTitle} value={title} onInput={setTitle} required maxLength={255} />
      </Form>
      {made !== undefined && (
        <p role="status">
          {words.specInserted} <a href={addresses.space(organization, made)}>{words.openSpace}</a>
        </p>
      )}
      <Copyable>{[[words.specBlock, block]]}</Copyable>
    </section>
  );
}

function NewSource({ it, params }: At) {
  const words = useWords();
  const [source, setSource] = useState({ ...noSource, url: it.sourceURL ?? "" });
  const replace = useAction(() => write("putOpenApiSpec", { params, body: { source: sourceBody(source) } }));
  return (
    <section>
      <h2>{words.specReplace}</h2>
      <p>{words.specReplaceWhy}</p>
      <Form action={replace} submit={words.specReplace}>
        <SourceFields value={source} onChange={setSource} />
      </Form>
    </section>
  );
}

function Visibility({ it, params }: At) {
  const words = useWords();
  const [visibility, setVisibility] = useState(it.visibility);
  const save = useAction(() => write("updateOpenApiSpec", { params, body: { visibility } }));
  return (
    <section>
      <h2>{words.whoReadsSpec}</h2>
      <Form action={save} submit={words.save}>
        <Choice
          label={words.whoReadsSpec}
          hint={words.whoReadsSpecHint}
          value={visibility}
          onChange={setVisibility}
          options={[
            ["private", words.specPrivate],
            ["public", words.specPublic],
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

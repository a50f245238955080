// Git: a space and a branch of a repository, kept in step. A name and a password are sent with a request and kept nowhere here.

import { useState } from "preact/hooks";
import type { GitInfo, Space } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Confirm } from "../parts/confirm";
import { Check, Choice, TextField } from "../parts/field";
import { Form } from "../parts/form";
import { PageHead } from "../parts/page-head";
import { Shown } from "../parts/shown";
import { SkippedList } from "../parts/skipped";
import { When } from "../parts/when";
import { WorkProgress } from "../parts/work-progress";
import { conflictWords } from "../review/change-words";
import { addresses } from "../routes";
import { findById } from "../space/tree";
import { filled, numberIn, useWords, type Words } from "../words/words";
import { branchOf, refOf, repositoryOf } from "./repository";

const SAMPLE = "https://github.com/example/docs.git";

export function GitPage({ organization, space }: { readonly organization: string; readonly space: string }) {
  const words = useWords();
  const params = { spaceId: space };
  const found = useRead("getSpace", { params });
  const isConnected = found.state === "had" && found.value.gitSync !== undefined;
  const info = useRead("getGitInfo", isConnected ? { params } : undefined);
  const git = isConnected && info.state === "had" ? info.value : undefined;
  return (
    <Shown of={found}>
      {(it) => (
        <div class="page">
          <PageHead
            title={words.git}
            above={[
              [words.library, addresses.organization(organization)],
              [it.title, addresses.space(organization, space)],
            ]}
          />
          {isConnected ? (
            <Shown of={info}>{(shown) => <State organization={organization} space={it} git={shown} />}</Shown>
          ) : (
            <p>{words.noGit}</p>
          )}
          {it.permissions.triggerGitSync ? (
            <>
              <Request key={git?.url ?? ""} space={it} git={git} />
              {git && (
                <section>
                  <Confirm
                    label={words.endGit}
                    question={filled(words.endGitWhy, { title: it.title })}
                    act={() => write("removeGitSync", { params })}
                  />
                </section>
              )}
            </>
          ) : (
            <p class="empty">{words.mayNotGit}</p>
          )}
        </div>
      )}
    </Shown>
  );
}

function isUnderWay({ waiting, lastRun }: GitInfo): boolean {
  return waiting > 0 || lastRun?.status === "running";
}

function runWords(words: Words, { direction, status }: NonNullable<GitInfo["lastRun"]>): readonly [string, string] {
  if (status === "running") return [direction === "import" ? words.gitImporting : words.gitExporting, "open"];
  if (status === "failed") return [direction === "import" ? words.gitImportFailed : words.gitExportFailed, "failed"];
  return [direction === "import" ? words.gitImported : words.gitExported, "merged"];
}

function State({
  organization,
  space,
  git,
}: {
  readonly organization: string;
  readonly space: Space;
  readonly git: GitInfo;
}) {
  const words = useWords();
  const { lastRun, commit, conflicts } = git;
  const [label, tone] = lastRun ? runWords(words, lastRun) : [words.gitWaiting, "open"];
  return (
    <section>
      <p class="glance">
        <span class={`status ${tone}`}>{label}</span> {lastRun && <When at={lastRun.requestedAt} />}
      </p>
      <dl class="facts">
        <dt>{words.repository}</dt>
        <dd>
          <code>{git.url}</code>
        </dd>
        <dt>{words.branch}</dt>
        <dd>
          <code>{branchOf(git.ref)}</code>
        </dd>
        {git.repoProjectDirectory !== undefined && git.repoProjectDirectory !== "" && (
          <>
            <dt>{words.folder}</dt>
            <dd>
              <code>{git.repoProjectDirectory}</code>
            </dd>
          </>
        )}
        {commit !== undefined && (
          <>
            <dt>{words.commit}</dt>
            <dd>
              <code>{commit.slice(0, 12)}</code>
            </dd>
          </>
        )}
      </dl>
      {isUnderWay(git) && <WorkProgress work="git" id={space.id} known={git.progress} />}
      {lastRun?.error !== undefined && (
        <div class="problem" role="alert">
          <p>{lastRun.error}</p>
          {lastRun.status === "running" && <p>{words.triedAgain}</p>}
        </div>
      )}
      {conflicts && conflicts.count > 0 && (
        <Conflicts organization={organization} space={space} conflicts={conflicts} />
      )}
      <SkippedList skipped={lastRun?.skipped ?? []} />
    </section>
  );
}

/** What both sides changed. The space kept its own. */
function Conflicts({
  organization,
  space,
  conflicts: { revision, count, list },
}: {
  readonly organization: string;
  readonly space: Space;
  readonly conflicts: NonNullable<GitInfo["conflicts"]>;
}) {
  const words = useWords();
  const tree = useRead("listPages", { params: { spaceId: space.id }, query: { metadata: "false" } });
  const pages = tree.state === "had" ? tree.value.pages : [];
  return (
    <div class="notice">
      <div>
        <p>
          <strong>{filled(words.gitConflicts, { count: numberIn(words.inLanguage, count) })}</strong>{" "}
          {words.gitConflictsWhy}{" "}
          <a href={addresses.ofSpace(organization, space.id, `revisions/${revision}`)}>{words.repositorySide}</a>
        </p>
        <ul class="plain">
          {list.map(({ page, file, reusableContent, variable, member, kind }) => {
            const found = page === undefined ? undefined : findById(pages, page);
            return (
              <li key={`${kind} ${page} ${file} ${reusableContent} ${variable} ${member}`}>
                {found ? (
                  <a href={addresses.page(organization, space.id, undefined, found.path)}>{found.title}</a>
                ) : (
                  (file ?? reusableContent ?? variable ?? words.goneItem)
                )}{" "}
                <small>
                  {conflictWords(words)[kind]}
                  {member !== undefined && ` (${member})`}
                </small>
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}

type Direction = "import" | "export";

function Request({ space, git }: { readonly space: Space; readonly git: GitInfo | undefined }) {
  const words = useWords();
  const [direction, setDirection] = useState<Direction>("import");
  const [url, setUrl] = useState(git?.url ?? "");
  const [branch, setBranch] = useState(git ? branchOf(git.ref) : "main");
  const [folder, setFolder] = useState(git?.repoProjectDirectory ?? "");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [message, setMessage] = useState("");
  const [force, setForce] = useState(false);
  const [isBeside, setBeside] = useState(false);
  const send = useAction(async () => {
    const shared = {
      url: repositoryOf(url, name, password),
      ref: refOf(branch),
      ...omitUndefined({
        repoProjectDirectory: folder.trim() === "" ? undefined : folder.trim(),
        force: force ? force : undefined,
      }),
    };
    const params = { spaceId: space.id };
    if (direction === "import")
      await write("importFromGit", {
        params,
        body: { ...shared, ...omitUndefined({ standalone: isBeside ? true : undefined }) },
      });
    else
      await write("exportToGit", {
        params,
        body: { ...shared, commitMessage: message.trim() === "" ? space.title : message.trim() },
      });
    setPassword("");
  });
  return (
    <section>
      <h2>{git ? words.gitAgain : words.gitConnect}</h2>
      <Form action={send} submit={direction === "import" ? words.gitImport : words.gitExport}>
        <Choice
          label={words.direction}
          value={direction}
          onChange={setDirection}
          options={[
            ["import", words.gitImportHere],
            ["export", words.gitExportThere],
          ]}
        />
        <TextField label={words.repository} type="url" value={url} onInput={setUrl} required placeholder={SAMPLE} />
        <TextField label={words.branch} value={branch} onInput={setBranch} required />
        <TextField label={words.folder} hint={words.folderHint} value={folder} onInput={setFolder} />
        <fieldset class="items">
          <legend>{words.gitLogin}</legend>
          <p class="hint">{words.gitLoginHint}</p>
          <TextField label={words.userName} value={name} onInput={setName} autoComplete="off" />
          <TextField
            label={words.passwordOrToken}
            type="password"
            value={password}
            onInput={setPassword}
            autoComplete="off"
          />
        </fieldset>
        {direction === "export" && (
          <TextField label={words.commitMessage} value={message} onInput={setMessage} placeholder={space.title} />
        )}
        <Check
          label={direction === "import" ? words.forceImport : words.forceExport}
          hint={words.forceHint}
          checked={force}
          onChange={setForce}
        />
        {direction === "import" && (
          <Check label={words.standalone} hint={words.standaloneHint} checked={isBeside} onChange={setBeside} />
        )}
      </Form>
    </section>
  );
}

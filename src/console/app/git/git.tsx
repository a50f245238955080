// The Git synchronization of a space with a branch of a repository. Credentials are sent with a request and never stored here.

import type { GitInfo, Space } from "../../../generated/resources";
import { formatLocalizedNumber, formatMessage } from "../../../locales/format-message";
import { omitUndefined } from "../../../utils/objects";
import { useFields } from "../api/fields";
import { runMutation, useAction } from "../api/mutations";
import { useQuery } from "../api/queries";
import { Confirm } from "../components/confirm";
import { Check, Choice, TextField } from "../components/field";
import { Form } from "../components/form";
import { Loaded } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { RelativeTime } from "../components/relative-time";
import { SkippedList } from "../components/skipped";
import { WorkProgress } from "../components/work-progress";
import { useMessages } from "../messages/messages";
import { getConflictLabels } from "../review/field-labels";
import { addresses } from "../routes";
import { findById } from "../space/tree-rows";
import { buildRepositoryUrl, toBranchName, toBranchRef } from "./repository";

const SAMPLE = "https://github.com/example/docs.git";

export function GitPage({ organization, space }: { readonly organization: string; readonly space: string }) {
  const messages = useMessages();
  const params = { spaceId: space };
  const found = useQuery("getSpace", { params });
  const isConnected = found.state === "loaded" && found.value.gitSync !== undefined;
  const info = useQuery("getGitInfo", isConnected ? { params } : undefined);
  const git = isConnected && info.state === "loaded" ? info.value : undefined;
  return (
    <Loaded of={found}>
      {(it) => (
        <div class="page">
          <PageHead
            title={messages.git.git}
            above={[
              [messages.layout.library, addresses.organization(organization)],
              [it.title, addresses.space(organization, space)],
            ]}
          />
          {isConnected ? (
            <Loaded of={info}>{(shown) => <SyncStatus organization={organization} space={it} git={shown} />}</Loaded>
          ) : (
            <p>{messages.git.noGit}</p>
          )}
          {it.permissions.triggerGitSync ? (
            <>
              <SyncForm key={git?.url ?? ""} space={it} git={git} />
              {git && (
                <section>
                  <Confirm
                    label={messages.git.endGit}
                    question={formatMessage(messages.git.endGitWhy, { title: it.title })}
                    act={() => runMutation("removeGitSync", { params })}
                  />
                </section>
              )}
            </>
          ) : (
            <p class="empty">{messages.git.mayNotGit}</p>
          )}
        </div>
      )}
    </Loaded>
  );
}

function SyncStatus({
  organization,
  space,
  git,
}: {
  readonly organization: string;
  readonly space: Space;
  readonly git: GitInfo;
}) {
  const messages = useMessages();
  const { lastRun, commit, conflicts } = git;
  const hasConflicts = conflicts !== undefined && conflicts.count > 0;
  const tree = useQuery(
    "listPages",
    hasConflicts ? { params: { spaceId: space.id }, query: { metadata: "false" } } : undefined,
  );
  const pages = tree.state === "loaded" ? tree.value.pages : [];
  const isRunning = git.waiting > 0 || lastRun?.status === "running";
  let [label, tone] = [messages.git.gitWaiting, "open"];
  if (lastRun) {
    const { direction, status } = lastRun;
    const labels =
      direction === "import"
        ? {
            running: messages.git.gitImporting,
            failed: messages.git.gitImportFailed,
            completed: messages.git.gitImported,
          }
        : {
            running: messages.git.gitExporting,
            failed: messages.git.gitExportFailed,
            completed: messages.git.gitExported,
          };
    if (status === "running") [label, tone] = [labels.running, "open"];
    else if (status === "failed") [label, tone] = [labels.failed, "failed"];
    else [label, tone] = [labels.completed, "merged"];
  }
  return (
    <section>
      <p class="glance">
        <span class={`status ${tone}`}>{label}</span> {lastRun && <RelativeTime at={lastRun.requestedAt} />}
      </p>
      <dl class="facts">
        <dt>{messages.git.repository}</dt>
        <dd>
          <code>{git.url}</code>
        </dd>
        <dt>{messages.git.branch}</dt>
        <dd>
          <code>{toBranchName(git.ref)}</code>
        </dd>
        {git.repoProjectDirectory !== undefined && git.repoProjectDirectory !== "" && (
          <>
            <dt>{messages.git.folder}</dt>
            <dd>
              <code>{git.repoProjectDirectory}</code>
            </dd>
          </>
        )}
        {commit !== undefined && (
          <>
            <dt>{messages.git.commit}</dt>
            <dd>
              <code>{commit.slice(0, 12)}</code>
            </dd>
          </>
        )}
      </dl>
      {isRunning && <WorkProgress work="git" id={space.id} known={git.progress} />}
      {lastRun?.error !== undefined && (
        <div class="problem" role="alert">
          <p>{lastRun.error}</p>
          {lastRun.status === "running" && <p>{messages.translations.triedAgain}</p>}
        </div>
      )}
      {/* The changes of both sides to the same content. The space kept its own. */}
      {hasConflicts && (
        <div class="notice">
          <div>
            <p>
              <strong>
                {formatMessage(messages.git.gitConflicts, {
                  count: formatLocalizedNumber(messages.inLanguage, conflicts.count),
                })}
              </strong>{" "}
              {messages.git.gitConflictsWhy}{" "}
              <a href={addresses.ofSpace(organization, space.id, `revisions/${conflicts.revision}`)}>
                {messages.git.repositorySide}
              </a>
            </p>
            <ul class="plain">
              {conflicts.list.map(({ page, file, reusableContent, variable, member, kind }) => {
                const found = page === undefined ? undefined : findById(pages, page);
                return (
                  <li key={`${kind} ${page} ${file} ${reusableContent} ${variable} ${member}`}>
                    {found ? (
                      <a href={addresses.page(organization, space.id, undefined, found.path)}>{found.title}</a>
                    ) : (
                      (file ?? reusableContent ?? variable ?? messages.insights.goneItem)
                    )}{" "}
                    <small>
                      {getConflictLabels(messages)[kind]}
                      {member !== undefined && ` (${member})`}
                    </small>
                  </li>
                );
              })}
            </ul>
          </div>
        </div>
      )}
      <SkippedList skipped={lastRun?.skipped ?? []} />
    </section>
  );
}

function SyncForm({ space, git }: { readonly space: Space; readonly git: GitInfo | undefined }) {
  const messages = useMessages();
  const { values, fields, set } = useFields({
    direction: "import" as "import" | "export",
    url: git?.url ?? "",
    branch: git ? toBranchName(git.ref) : "main",
    folder: git?.repoProjectDirectory ?? "",
    name: "",
    password: "",
    message: "",
    force: false,
    standalone: false,
  });
  const isImport = values.direction === "import";
  const send = useAction(async () => {
    const { url, branch, folder, name, password, message, force, standalone } = values;
    const shared = {
      url: buildRepositoryUrl(url, name, password),
      ref: toBranchRef(branch),
      ...omitUndefined({ repoProjectDirectory: folder.trim() || undefined, force: force || undefined }),
    };
    const params = { spaceId: space.id };
    if (isImport) {
      const body = { ...shared, ...omitUndefined({ standalone: standalone || undefined }) };
      await runMutation("importFromGit", { params, body });
    } else {
      const body = { ...shared, commitMessage: message.trim() || space.title };
      await runMutation("exportToGit", { params, body });
    }
    set({ password: "" });
  });
  return (
    <section>
      <h2>{git ? messages.git.gitAgain : messages.git.gitConnect}</h2>
      <Form action={send} submit={isImport ? messages.git.gitImport : messages.git.gitExport}>
        <Choice
          label={messages.git.direction}
          {...fields.direction}
          options={[
            ["import", messages.git.gitImportHere],
            ["export", messages.git.gitExportThere],
          ]}
        />
        <TextField label={messages.git.repository} type="url" {...fields.url} required placeholder={SAMPLE} />
        <TextField label={messages.git.branch} {...fields.branch} required />
        <TextField label={messages.git.folder} hint={messages.git.folderHint} {...fields.folder} />
        <fieldset class="items">
          <legend>{messages.git.gitLogin}</legend>
          <p class="hint">{messages.git.gitLoginHint}</p>
          <TextField label={messages.git.userName} {...fields.name} autoComplete="off" />
          <TextField label={messages.git.passwordOrToken} type="password" {...fields.password} autoComplete="off" />
        </fieldset>
        {!isImport && <TextField label={messages.git.commitMessage} {...fields.message} placeholder={space.title} />}
        <Check
          label={isImport ? messages.git.forceImport : messages.git.forceExport}
          hint={messages.git.forceHint}
          {...fields.force}
        />
        {isImport && (
          <Check label={messages.git.standalone} hint={messages.git.standaloneHint} {...fields.standalone} />
        )}
      </Form>
    </section>
  );
}

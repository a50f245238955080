// The background jobs of an organization that wait, or were parked after repeated failures.

import { useState } from "preact/hooks";
import type { Job } from "../../../generated/resources";
import { formatMessage } from "../../../locales/format-message";
import { omitUndefined } from "../../../utils/objects";
import { runMutation, useAction } from "../api/mutations";
import { useList, useQuery } from "../api/queries";
import { Button } from "../components/button";
import { Choice } from "../components/field";
import { ActionError, Loaded, LoadedRows } from "../components/loaded";
import { PageHead } from "../components/page-head";
import { RelativeTime } from "../components/relative-time";
import { WorkProgress } from "../components/work-progress";
import { useMessages } from "../messages/messages";

type JobFilter = "all" | "waiting" | "parked";

export function Jobs({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const params = { organizationId: organization };
  const found = useQuery("getOrganization", { params });
  const isAdmin = found.state === "loaded" && found.value.permissions.admin;
  const [filter, setFilter] = useState<JobFilter>("all");
  const list = useList(
    "listJobs",
    isAdmin ? { params, ...omitUndefined({ query: filter === "all" ? undefined : { status: filter } }) } : undefined,
  );
  return (
    <Loaded of={found}>
      {() => (
        <div class="page">
          <PageHead title={messages.jobs.jobs} />
          {isAdmin ? (
            <>
              <p>{messages.jobs.jobsWhy}</p>
              <div class="choices">
                <Choice
                  label={messages.comments.show}
                  value={filter}
                  onChange={setFilter}
                  options={[
                    ["all", messages.jobs.allJobs],
                    ["waiting", messages.jobs.jobWaiting],
                    ["parked", messages.jobs.jobParked],
                  ]}
                />
              </div>
              <LoadedRows of={list} empty={messages.jobs.noJobs}>
                {(it) => <JobRow it={it} params={params} />}
              </LoadedRows>
            </>
          ) : (
            <p class="empty">{messages.people.onlyAdmins}</p>
          )}
        </div>
      )}
    </Loaded>
  );
}

function JobRow({ it, params }: { readonly it: Job; readonly params: { readonly organizationId: string } }) {
  const messages = useMessages();
  const again = useAction(() => runMutation("retryJob", { params: { ...params, jobId: it.id } }));
  const isParked = it.status === "parked";
  return (
    <div>
      <span>
        <strong>{it.step}</strong>{" "}
        <span class={`status ${isParked ? "failed" : "open"}`}>
          {isParked ? messages.jobs.jobParked : messages.jobs.jobWaiting}
        </span>
        <br />
        <small>
          <RelativeTime at={it.createdAt} sentence={messages.organization.made} />
          {it.attempts > 0 && ` · ${formatMessage(messages.jobs.jobAttempts, { count: it.attempts })}`}
          {it.dueAt !== undefined && (
            <>
              {" · "}
              <RelativeTime at={it.dueAt} sentence={messages.jobs.dueAt} />
            </>
          )}
        </small>
      </span>
      {isParked && <Button action={again}>{messages.general.tryAgain}</Button>}
      {it.progress && <WorkProgress work="job" id={it.id} known={it.progress} />}
      {it.error !== undefined && (
        <div class="problem">
          <p>{it.error}</p>
        </div>
      )}
      <ActionError error={again.error} />
    </div>
  );
}

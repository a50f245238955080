// The background jobs of an organization that wait, or were parked after repeated failures.

import type { Job } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { runMutation, useAction, useList, useQuery } from "../api/api";
import { useField } from "../api/fields";
import { Button } from "../components/button";
import { Choice } from "../components/fields";
import { ActionError, Loaded, LoadedRows, PageHead, RelativeTime } from "../components/page";
import { WorkProgress } from "../components/work-progress";
import { fillMessage, useMessages } from "../messages/messages";

type JobFilter = "all" | "waiting" | "parked";

export function Jobs({ organization }: { readonly organization: string }) {
  const messages = useMessages();
  const params = { organizationId: organization };
  const found = useQuery("getOrganization", { params });
  const isAdmin = found.state === "loaded" && found.value.permissions.admin;
  const filter = useField<JobFilter>("all");
  const list = useList(
    "listJobs",
    isAdmin
      ? { params, ...omitUndefined({ query: filter.value === "all" ? undefined : { status: filter.value } }) }
      : undefined,
  );
  return (
    <Loaded of={found}>
      {() => (
        <div class="page">
          <PageHead title={messages.jobs} />
          {isAdmin ? (
            <>
              <p>{messages.jobsWhy}</p>
              <div class="choices">
                <Choice
                  label={messages.show}
                  {...filter}
                  options={{ all: messages.allJobs, waiting: messages.jobWaiting, parked: messages.jobParked }}
                />
              </div>
              <LoadedRows of={list} empty={messages.noJobs}>
                {(it) => <JobRow it={it} params={params} />}
              </LoadedRows>
            </>
          ) : (
            <p class="empty">{messages.onlyAdmins}</p>
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
          {isParked ? messages.jobParked : messages.jobWaiting}
        </span>
        <br />
        <small>
          <RelativeTime at={it.createdAt} /> · {fillMessage(messages.jobAttempts, { count: it.attempts })}
          {it.dueAt !== undefined && (
            <>
              {" · "}
              <RelativeTime at={it.dueAt} sentence={messages.dueAt} />
            </>
          )}
        </small>
      </span>
      {isParked && <Button action={again}>{messages.tryAgain}</Button>}
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

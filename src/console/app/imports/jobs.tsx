// The work of an organization that waits, or that was put aside after it failed too often.

import { useState } from "preact/hooks";
import type { Job } from "../../../generated/resources";
import { omitUndefined } from "../../../utils/objects";
import { useList, useRead } from "../calls/reads";
import { useAction, write } from "../calls/writes";
import { Button } from "../parts/button";
import { Choice } from "../parts/field";
import { PageHead } from "../parts/page-head";
import { Problem, Shown, ShownList } from "../parts/shown";
import { When } from "../parts/when";
import { WorkProgress } from "../parts/work-progress";
import { filled, useWords } from "../words/words";

type Wanted = "all" | "waiting" | "parked";

export function Jobs({ organization }: { readonly organization: string }) {
  const words = useWords();
  const params = { organizationId: organization };
  const found = useRead("getOrganization", { params });
  return (
    <Shown of={found}>
      {({ permissions }) => (
        <div class="page">
          <PageHead title={words.jobs} />
          {permissions.admin ? <List params={params} /> : <p class="empty">{words.onlyAdmins}</p>}
        </div>
      )}
    </Shown>
  );
}

function List({ params }: { readonly params: { readonly organizationId: string } }) {
  const words = useWords();
  const [wanted, setWanted] = useState<Wanted>("all");
  const list = useList("listJobs", {
    params,
    ...omitUndefined({ query: wanted === "all" ? undefined : { status: wanted } }),
  });
  return (
    <>
      <p>{words.jobsWhy}</p>
      <div class="choices">
        <Choice
          label={words.show}
          value={wanted}
          onChange={setWanted}
          options={[
            ["all", words.allJobs],
            ["waiting", words.jobWaiting],
            ["parked", words.jobParked],
          ]}
        />
      </div>
      <ShownList of={list} empty={<p>{words.noJobs}</p>}>
        {(items) => (
          <ul class="rows">
            {items.map((it) => (
              <li key={it.id}>
                <OneJob it={it} params={params} />
              </li>
            ))}
          </ul>
        )}
      </ShownList>
    </>
  );
}

function OneJob({ it, params }: { readonly it: Job; readonly params: { readonly organizationId: string } }) {
  const words = useWords();
  const again = useAction(() => write("retryJob", { params: { ...params, jobId: it.id } }));
  const isParked = it.status === "parked";
  return (
    <div>
      <span>
        <strong>{it.step}</strong>{" "}
        <span class={`status ${isParked ? "failed" : "open"}`}>{isParked ? words.jobParked : words.jobWaiting}</span>
        <br />
        <small>
          <When at={it.createdAt} /> · {filled(words.jobAttempts, { count: it.attempts })}
          {it.dueAt !== undefined && (
            <>
              {" · "}
              <When at={it.dueAt} sentence={words.dueAt} />
            </>
          )}
        </small>
      </span>
      {isParked && (
        <Button isBusy={again.isBusy} onClick={() => void again.run()}>
          {words.tryAgain}
        </Button>
      )}
      {it.progress && <WorkProgress work="job" id={it.id} known={it.progress} />}
      {it.error !== undefined && (
        <div class="problem">
          <p>{it.error}</p>
        </div>
      )}
      <Problem error={again.error} />
    </div>
  );
}

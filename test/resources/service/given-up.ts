// Work that was given up because it ended with its process too often. That is meant (see `work/jobs.ts`), so whoever kills
// processes at random does what an admin would before they look whether everything is whole.

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Ask = (route: string) => Promise<{ readonly body: any }>;

/** Starts it again; what was given up for any other reason is left. */
export async function startAgain(ask: Ask, organizations: readonly string[]): Promise<void> {
  for (const organization of organizations) {
    const { items } = (await ask(`GET /v1/orgs/${organization}/jobs?status=parked&limit=1000`)).body;
    for (const { id, error } of items)
      if (error?.startsWith("It ended with its process")) await ask(`POST /v1/orgs/${organization}/jobs/${id}/retry`);
  }
}

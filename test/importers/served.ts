// A few URLs that answer through a `fetch`.

/** Answers by path; everything else is 404. The addresses that were asked for are in `asked`. */
export function served(answers: Readonly<Record<string, string | Uint8Array | Response>>) {
  const asked: string[] = [];
  const fetch = async (input: RequestInfo | URL): Promise<Response> => {
    const url = new URL(String(input));
    asked.push(url.href);
    const answer = Object.hasOwn(answers, url.pathname) ? answers[url.pathname] : undefined;
    if (answer instanceof Response) return answer;
    return answer === undefined ? new Response("no", { status: 404 }) : new Response(answer as BodyInit);
  };
  return { fetch: fetch as typeof globalThis.fetch, asked };
}

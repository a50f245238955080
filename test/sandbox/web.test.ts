// The classes of the web inside the sandbox, held against those of Node: the same lines run in both and say the same.

import { describe, expect, test } from "vitest";
import { value } from "./events";

const AsyncFunction = (async () => {}).constructor as new (body: string) => () => Promise<unknown>;

/** What the same lines give outside. */
async function outside(body: string): Promise<unknown> {
  return JSON.parse(JSON.stringify({ value: await new AsyncFunction(body)() })).value;
}

/** What was thrown, by its kind. */
const thrown = (expression: string) =>
  `try { ${expression}; return "nothing" } catch (error) { return error instanceof RangeError ? "RangeError" : error instanceof TypeError ? "TypeError" : error.name }`;

const formType = "multipart/form-data; boundary=b";
const brokenForms = [
  "",
  "--b",
  "--b\r\nnothing\r\n--b--",
  "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--",
  '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nno end',
];

const lines: Readonly<Record<string, readonly string[]>> = {
  URL: [
    `const url = new URL("../x?y=1&y=2#z", "https://user:pw@Example.com:8080/a/b/c"); return [url.href, url.origin, url.protocol, url.username, url.password, url.host, url.hostname, url.port, url.pathname, url.search, url.hash]`,
    `const url = new URL("https://a.example/"); url.pathname = "/ü b"; url.search = "q=ä"; url.hash = "h"; url.port = "99"; url.protocol = "http"; url.host = "b.example:1"; url.username = "me"; return String(url)`,
    `const url = new URL("https://a.example/?a=1"); url.searchParams.append("b", "x y&z"); url.searchParams.delete("a"); return [url.href, url.search, url.searchParams.get("b")]`,
    `const url = new URL("https://a.example/?a=1"); const { searchParams } = url; url.search = "?c=3"; return [searchParams.get("c"), searchParams.has("a"), url.searchParams === searchParams]`,
    `const url = new URL("https://a.example/?a=1"); url.href = "https://b.example/?d=4"; return [url.host, url.searchParams.get("d"), JSON.stringify({ url })]`,
    `return [URL.canParse("nonsense"), URL.canParse("/x", "https://a.example"), new URL("https://münchen.example/").host]`,
    thrown(`new URL("nonsense")`),
    thrown(`new URL("https://a.example").href = "nonsense"`),
    `return new URL("data:text/plain,hi").origin`,
  ],
  URLSearchParams: [
    `return [...new URLSearchParams("?a=1&b=%20+%C3%BC&=x&c&&a=2")]`,
    `return [new URLSearchParams({ a: "1 2", b: "ü&=+~!'()*" }).toString(), new URLSearchParams([["x", 1], ["x", 2]]).getAll("x")]`,
    `const all = new URLSearchParams("b=1&a=2&b=3&c=4"); all.set("b", "9"); all.sort(); all.append("z", "0"); all.delete("c", "5"); all.delete("a", "2"); return [all.toString(), all.size, all.has("b", "9"), all.has("b", "1"), all.get("none")]`,
    `return [...new URLSearchParams("a=%ff%20%zz&b=100%&c=\\ud800")]`,
    `const seen = []; new URLSearchParams("a=1&b=2").forEach((value, name) => seen.push(name + value)); return [seen, [...new URLSearchParams("a=1&b=2").keys()], [...new URLSearchParams("a=1&b=2").values()]]`,
    thrown(`new URLSearchParams([["one"]])`),
  ],
  Headers: [
    `const headers = new Headers({ "X-B": " 1 ", "x-a": "2" }); headers.append("x-b", "3"); headers.append("Set-Cookie", "a=1"); headers.append("set-cookie", "b=2"); return [[...headers], headers.get("X-B"), headers.getSetCookie(), headers.has("x-c"), headers.get("x-c")]`,
    `const headers = new Headers([["a", "1"]]); headers.set("A", "2"); headers.delete("b"); const seen = []; headers.forEach((value, name) => seen.push([name, value])); return [seen, [...headers.keys()], [...headers.values()], [...new Headers(headers)]]`,
    ...["a b", "", "ä", "a:"].map((name) => thrown(`new Headers([["${name}", "1"]])`)),
    ...["a\\r\\nb: c", "a\\nb", "a\\0b", "☃"].map((text) => thrown(`new Headers({ a: "${text}" })`)),
    thrown(`new Headers([["a"]])`),
  ],
  Request: [
    `const request = new Request("https://a.example/x", { method: "post", body: "ü", headers: { "x-a": "1" } }); return [request.method, request.url, [...request.headers], request.bodyUsed, await request.text(), request.bodyUsed, request.redirect]`,
    `const request = new Request("https://a.example/x", { method: "PUT", body: "1" }); const copy = request.clone(); const other = new Request(request, { headers: { a: "b" } }); return [await copy.text(), await other.text(), request.bodyUsed, other.method, [...other.headers]]`,
    `const request = new Request("https://a.example/", { method: "patch" }); return [request.method, request.body]`,
    thrown(`new Request("https://a.example/", { body: "1" })`),
    thrown(`new Request("/relative")`),
    thrown(`new Request("https://a.example/", { method: "TRACE" })`),
    thrown(`new Request("https://a.example/", { method: "A B" })`),
    thrown(`new Request("https://a:b@a.example/")`),
    thrown(`new Request("https://a.example/", { redirect: "sometimes" })`),
  ],
  Response: [
    `const response = new Response("hé"); return [response.status, response.ok, response.statusText, [...response.headers], response.bodyUsed, await response.text(), response.bodyUsed]`,
    `const response = new Response(null, { status: 204, statusText: "Nothing" }); return [response.status, response.statusText, response.body, await response.text(), response.bodyUsed]`,
    `const response = Response.json({ a: [1] }, { status: 201 }); return [response.status, response.headers.get("content-type"), await response.clone().json(), await response.json()]`,
    `const response = Response.redirect("https://a.example/x", 307); return [response.status, response.headers.get("location")]`,
    `const response = new Response(new URLSearchParams({ a: "ü" })); return [response.headers.get("content-type"), await response.text()]`,
    `const response = new Response(new Blob(["x"], { type: "Text/Plain" })); return [response.headers.get("content-type"), (await response.blob()).type]`,
    `return [[...new Uint8Array(await new Response(new Uint8Array([1, 2, 3]).subarray(1)).arrayBuffer())], await new Response(new Response("through").body).text()]`,
    `const pieces = []; for await (const piece of new Response("abc").body) pieces.push(...piece); return pieces`,
    `const reader = new Response("abc").body.getReader(); const first = await reader.read(); return [[...first.value], first.done, (await reader.read()).done]`,
    `const response = new Response("a"); await response.text(); ${thrown("await response.text()")}`,
    thrown(`new Response("", { status: 600 })`),
    thrown(`new Response("", { status: 101 })`),
    thrown(`new Response("x", { status: 204 })`),
    thrown(`Response.json(undefined)`),
    thrown(`await new Response("{").json()`),
    thrown(`Response.redirect("https://a.example", 200)`),
    thrown(`await new Response("x").formData()`),
  ],
  FormData: [
    `const form = new FormData(); form.append("a", "1"); form.append("a", "2"); form.append("f", new Blob(["x"], { type: "text/plain" }), "n.txt"); form.set("b", 3); form.set("a", "9"); form.delete("none"); return [[...form.keys()], form.get("a"), form.getAll("a"), form.get("f").name, form.get("f").type, form.has("b"), form.get("none")]`,
    `const form = new FormData(); form.append("na\\"me\\n", "line\\nend ü"); form.append("file", new File([new Uint8Array([0, 255, 13, 10])], "ü\\".bin", { type: "image/png" })); const read = await new Response(form).formData(); const file = read.get("file"); return [[...read.keys()], [...read.values()][0], file.name, file.type, file.size, [...new Uint8Array(await file.arrayBuffer())]]`,
    `const body = "--b\\r\\nContent-Disposition: form-data; name=\\"event\\"\\r\\n\\r\\n{\\"a\\":1}\\r\\n--b\\r\\nContent-Disposition: form-data; name=\\"fetch-body\\"; filename=\\"blob\\"\\r\\nContent-Type: application/json\\r\\n\\r\\n\\r\\n--x\\r\\n--b--\\r\\n"; const form = await new Response(body, { headers: { "content-type": "multipart/form-data; boundary=b" } }).formData(); return [form.get("event"), form.get("fetch-body").type, await form.get("fetch-body").text()]`,
    `return [...await new Response("a=1&b=%C3%BC+x", { headers: { "content-type": "application/x-www-form-urlencoded" } }).formData()]`,
    ...brokenForms.map((body) =>
      thrown(`await new Response(${JSON.stringify(body)}, { headers: { "content-type": "${formType}" } }).formData()`),
    ),
  ],
  "Blob and File": [
    `const blob = new Blob(["aü", new Uint8Array([66]), new Blob(["c"])], { type: "Text/X" }); return [blob.size, blob.type, await blob.text(), await blob.slice(1, 3).text(), blob.slice(0, 1, "a/b").type, await blob.slice(-1).text()]`,
    `const file = new File(["x"], "a/b.txt", { lastModified: 5 }); return [file.name, file.lastModified, file.type, file instanceof Blob]`,
  ],
  "TextEncoder and TextDecoder": [
    `return [[...new TextEncoder().encode("aü€😀\\0\\ud800")], [...new TextEncoder().encode()], new TextEncoder().encoding]`,
    `const target = new Uint8Array(4); return [new TextEncoder().encodeInto("a😀b", target), [...target], new TextEncoder().encodeInto("üüü", new Uint8Array(5))]`,
    `return [new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xff, 0])), new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x61])).length, new TextDecoder("latin1").encoding, new TextDecoder("latin1").decode(new Uint8Array([0xfc])), new TextDecoder("utf-16le").decode(new Uint8Array([0x61, 0]).buffer)]`,
    thrown(`new TextDecoder("nonsense")`),
    thrown(`new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255]))`),
    thrown(`new TextDecoder().decode("text")`),
  ],
  "atob and btoa": [
    `return ["", "a", "ab", "abc", "\\xff\\0\\x80", 12].map((text) => btoa(text))`,
    `return ["", "YQ==", "YQ", " Y W J\\nj ", "/wCA"].map((text) => [...atob(text)].map((one) => one.charCodeAt(0)))`,
    thrown(`btoa("☃")`),
    ...["a", "ab=c", "a===", "ü", "YQ="].map((text) => thrown(`atob("${text}")`)),
  ],
  crypto: [
    `const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join(""); const all = []; for (const hash of ["SHA-1", "sha-256", { name: "SHA-384" }, "SHA-512"]) all.push(hex(await crypto.subtle.digest(hash, new TextEncoder().encode("abc")))); return all`,
    `const key = await crypto.subtle.importKey("raw", new TextEncoder().encode("key"), { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]); const data = new TextEncoder().encode("The quick brown fox"); const signature = await crypto.subtle.sign("HMAC", key, data); const other = new Uint8Array(signature).slice(); other[3] ^= 1; return [[...new Uint8Array(signature)], await crypto.subtle.verify("HMAC", key, signature, data), await crypto.subtle.verify("HMAC", key, other, data), await crypto.subtle.verify("HMAC", key, signature.slice(0, 5), data), key.type, key.extractable, key.algorithm.hash.name, key.algorithm.length]`,
    `const key = await crypto.subtle.importKey("jwk", { kty: "oct", k: "a_-9" }, { name: "HMAC", hash: { name: "SHA-512" } }, true, ["sign"]); return [[...new Uint8Array(await crypto.subtle.exportKey("raw", key))], await crypto.subtle.exportKey("jwk", key), (await crypto.subtle.sign({ name: "HMAC" }, key, new Uint8Array(300))).byteLength]`,
    `return (await crypto.subtle.exportKey("raw", await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-384" }, true, ["sign"]))).byteLength`,
    `const key = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-1" }, false, ["verify"]); ${thrown(`await crypto.subtle.sign("HMAC", key, new Uint8Array())`)}`,
    `const key = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-1" }, false, ["verify"]); try { await crypto.subtle.exportKey("raw", key) } catch (error) { return error instanceof DOMException }`,
    `return /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())`,
    `const array = new Uint16Array(100); return [crypto.getRandomValues(array) === array, array.some((one) => one > 255)]`,
    thrown(`crypto.getRandomValues(new Uint8Array(65537))`),
    thrown(`await crypto.subtle.digest("MD5", new Uint8Array())`),
  ],
  structuredClone: [
    `const one = { a: [1, , 3], d: new Date(5), r: /x/gi, m: new Map([["k", { z: 1 }]]), s: new Set([1]), n: null, u: undefined, big: String(1n) }; one.self = one; const clone = structuredClone(one); return [clone.self === clone, clone !== one, clone.a.length, 1 in clone.a, clone.d.getTime(), String(clone.r), clone.m.get("k").z, clone.s.has(1), clone.n, "u" in clone]`,
    `const buffer = new Uint8Array([1, 2, 3]); const clone = structuredClone({ a: buffer, b: buffer.buffer }); clone.a[0] = 9; return [[...clone.a], [...buffer], clone.a.buffer === clone.b, structuredClone(new DataView(buffer.buffer, 1)).getUint8(0)]`,
    `const clone = structuredClone(new RangeError("no", { cause: "x" })); return [clone instanceof RangeError, clone.message, clone.cause]`,
    thrown(`structuredClone(() => 1)`),
    thrown(`structuredClone({ a: Symbol() })`),
    thrown(`structuredClone(Promise.resolve())`),
  ],
  "timers and microtasks": [
    `const seen = []; await new Promise((done) => { setTimeout(() => { seen.push("late"); done() }, 30); setTimeout((a, b) => seen.push(a + b), 5, "ea", "rly"); const gone = setTimeout(() => seen.push("never"), 1); clearTimeout(gone); queueMicrotask(() => seen.push("micro")); seen.push("now") }); return seen`,
    `let count = 0; await new Promise((done) => { const id = setInterval(() => { if (++count === 3) { clearInterval(id); done() } }, 1) }); await new Promise((done) => setTimeout(done, 10)); return count`,
    thrown(`queueMicrotask("text")`),
  ],
  abort: [
    `const controller = new AbortController(); const seen = []; controller.signal.addEventListener("abort", (event) => seen.push(event.type)); controller.signal.onabort = () => seen.push("on"); controller.abort("why"); controller.abort("again"); return [seen.sort(), controller.signal.aborted, controller.signal.reason, new AbortController().signal.aborted]`,
    `const signal = AbortSignal.abort(); return [signal.aborted, signal.reason.name, signal.reason.code, signal.reason instanceof DOMException, signal.reason instanceof Error]`,
    `const signal = AbortSignal.timeout(5); await new Promise((done) => signal.addEventListener("abort", done)); return signal.reason.name`,
    `const controller = new AbortController(); const any = AbortSignal.any([new AbortController().signal, controller.signal]); controller.abort(7); return [any.aborted, any.reason]`,
    thrown(`AbortSignal.abort(new TypeError()).throwIfAborted()`),
  ],
};

for (const [name, all] of Object.entries(lines))
  describe(name, () => {
    test.each(all)("%s", async (body) => {
      expect(await value(body)).toEqual(await outside(body));
    });
  });

test("the comparison notices a difference", async () => {
  expect(await value(`return typeof process`)).not.toEqual(await outside(`return typeof process`));
});

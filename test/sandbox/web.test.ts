// The classes of the web inside the sandbox, held against those of Node: the same lines run in both and say the same.

import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, expect, test } from "vitest";
import { BEGIN, call, script, value } from "./events";

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

/** A key of 1024 bits, for tests alone: quick, and too short for anything else. */
const pair = generateKeyPairSync("rsa", { modulusLength: 1024 });
const bytesOf = (key: KeyObject, type: "pkcs8" | "spki") =>
  `new Uint8Array([${[...(key.export({ type, format: "der" }) as Buffer)].join()}])`;
const pkcs8 = bytesOf(pair.privateKey, "pkcs8");
const spki = bytesOf(pair.publicKey, "spki");
const jwk = JSON.stringify(pair.privateKey.export({ format: "jwk" }));

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
    thrown(`await crypto.subtle.digest("SHA-256", "text")`),
    thrown(`await crypto.subtle.digest({}, new Uint8Array())`),
  ],
  CryptoKey: [
    `const key = await crypto.subtle.importKey("raw", new Uint8Array(16), "AES-GCM", false, ["encrypt"]); return [key instanceof CryptoKey, Object.prototype.toString.call(key), typeof CryptoKey, Object.keys(key), crypto instanceof Crypto, crypto.subtle instanceof SubtleCrypto]`,
    thrown(`new CryptoKey()`),
    thrown(`await crypto.subtle.sign("HMAC", {}, new Uint8Array())`),
    thrown(`await crypto.subtle.sign("HMAC", Object.create(CryptoKey.prototype), new Uint8Array())`),
    thrown(`await crypto.subtle.exportKey("raw", { __proto__: CryptoKey.prototype, extractable: true })`),
    ...["pkcs8", "spki", "raw", "nonsense"].map((format) =>
      thrown(
        `await crypto.subtle.importKey("${format}", new Uint8Array(5), { name: "RSA-PSS", hash: "SHA-256" }, false, [])`,
      ),
    ),
  ],
  "AES-GCM": [
    `const key = await crypto.subtle.importKey("raw", new Uint8Array(32).fill(7), { name: "AES-GCM" }, true, ["encrypt", "decrypt"]); const iv = new Uint8Array(12).fill(1); const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new TextEncoder().encode("state ü")); const open = await crypto.subtle.decrypt({ name: "aes-gcm", iv: iv.buffer }, key, sealed); return [[...new Uint8Array(sealed)], new TextDecoder().decode(open), key.type, key.algorithm, key.usages, await crypto.subtle.exportKey("jwk", key)]`,
    `const key = await crypto.subtle.importKey("jwk", { kty: "oct", k: "AAECAwQFBgcICQoLDA0ODw" }, "AES-GCM", false, ["encrypt"]); const settings = { name: "AES-GCM", iv: new Uint8Array(16), additionalData: new Uint8Array([1, 2]), tagLength: 96 }; return [...new Uint8Array(await crypto.subtle.encrypt(settings, key, new Uint8Array(20)))]`,
    `const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 192 }, true, ["decrypt", "encrypt"]); return [(await crypto.subtle.exportKey("raw", key)).byteLength, key.algorithm, key.usages]`,
    `const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, false, ["encrypt", "decrypt"]); const iv = new Uint8Array(12); const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new Uint8Array(3))); sealed[0] ^= 1; ${thrown(`await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, sealed)`)}`,
    `const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, false, ["decrypt"]); ${thrown(`await crypto.subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, key, new Uint8Array())`)}`,
    `const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, false, ["encrypt"]); return crypto.subtle.exportKey("raw", key).catch((error) => error instanceof DOMException)`,
    `const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, false, ["encrypt"]); ${thrown(`await crypto.subtle.encrypt({ name: "AES-GCM" }, key, new Uint8Array())`)}`,
    `const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, false, ["encrypt"]); ${thrown(`await crypto.subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(12), tagLength: 7 }, key, new Uint8Array())`)}`,
    thrown(`await crypto.subtle.generateKey({ name: "AES-GCM", length: 100 }, false, ["encrypt"])`),
    thrown(`await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, false, [])`),
    thrown(`await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, false, ["sign"])`),
    thrown(`await crypto.subtle.importKey("raw", new Uint8Array(5), "AES-GCM", false, ["encrypt"])`),
    thrown(`await crypto.subtle.generateKey({ name: "NONE" }, false, ["encrypt"])`),
  ],
  RSA: [
    `const key = await crypto.subtle.importKey("pkcs8", ${pkcs8}, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, false, ["sign"]); const open = await crypto.subtle.importKey("spki", ${spki}, { name: "RSASSA-PKCS1-v1_5", hash: { name: "SHA-256" } }, true, ["verify"]); const data = new TextEncoder().encode("header.payload"); const signature = await crypto.subtle.sign("RSASSA-PKCS1-v1_5", key, data); return [[...new Uint8Array(signature)], await crypto.subtle.verify("RSASSA-PKCS1-v1_5", open, signature, data), await crypto.subtle.verify("RSASSA-PKCS1-v1_5", open, signature.slice(1), data), key.type, key.extractable, key.usages, key.algorithm.name, key.algorithm.modulusLength, key.algorithm.hash, [...key.algorithm.publicExponent], key.algorithm.publicExponent instanceof Uint8Array, open.type]`,
    `const jwk = ${jwk}; const key = await crypto.subtle.importKey("jwk", jwk, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-512" }, true, ["sign"]); const out = await crypto.subtle.exportKey("jwk", key); return [out, [...new Uint8Array(await crypto.subtle.exportKey("pkcs8", key))].length, [...new Uint8Array(await crypto.subtle.sign({ name: "RSASSA-PKCS1-v1_5" }, key, new Uint8Array(9)))]]`,
    `const settings = { name: "RSA-PSS", hash: "SHA-256" }; const key = await crypto.subtle.importKey("pkcs8", ${pkcs8}, settings, false, ["sign"]); const open = await crypto.subtle.importKey("spki", ${spki}, settings, false, ["verify"]); const data = new Uint8Array(3); const signature = await crypto.subtle.sign({ name: "RSA-PSS", saltLength: 32 }, key, data); return [signature.byteLength, await crypto.subtle.verify({ name: "RSA-PSS", saltLength: 32 }, open, signature, data), await crypto.subtle.verify({ name: "RSA-PSS", saltLength: 20 }, open, signature, data)]`,
    `const settings = { name: "RSA-OAEP", hash: "SHA-1" }; const key = await crypto.subtle.importKey("pkcs8", ${pkcs8}, settings, false, ["decrypt"]); const open = await crypto.subtle.importKey("spki", ${spki}, settings, false, ["encrypt"]); const label = new Uint8Array(2); const sealed = await crypto.subtle.encrypt({ name: "RSA-OAEP", label }, open, new Uint8Array([5, 6])); return [sealed.byteLength, [...new Uint8Array(await crypto.subtle.decrypt({ name: "RSA-OAEP", label }, key, sealed))]]`,
    `const { privateKey, publicKey } = await crypto.subtle.generateKey({ name: "RSASSA-PKCS1-v1_5", modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" }, false, ["sign", "verify"]); const signature = await crypto.subtle.sign("RSASSA-PKCS1-v1_5", privateKey, new Uint8Array(1)); return [await crypto.subtle.verify("RSASSA-PKCS1-v1_5", publicKey, signature, new Uint8Array(1)), privateKey.extractable, publicKey.extractable, privateKey.usages, publicKey.usages]`,
    `const key = await crypto.subtle.importKey("pkcs8", ${pkcs8}, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, false, ["sign"]); return crypto.subtle.exportKey("pkcs8", key).catch((error) => error instanceof DOMException)`,
    `const key = await crypto.subtle.importKey("pkcs8", ${pkcs8}, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, false, ["sign"]); ${thrown(`await crypto.subtle.sign("RSA-PSS", key, new Uint8Array())`)}`,
    `const key = await crypto.subtle.importKey("pkcs8", ${pkcs8}, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, false, ["sign"]); ${thrown(`await crypto.subtle.verify("RSASSA-PKCS1-v1_5", key, new Uint8Array(), new Uint8Array())`)}`,
    thrown(
      `await crypto.subtle.importKey("pkcs8", ${pkcs8}, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, false, [])`,
    ),
    thrown(
      `await crypto.subtle.importKey("pkcs8", ${pkcs8}, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, false, ["verify"])`,
    ),
    thrown(`await crypto.subtle.importKey("pkcs8", ${pkcs8}, { name: "RSASSA-PKCS1-v1_5" }, false, ["sign"])`),
    thrown(
      `await crypto.subtle.importKey("jwk", { kty: "RSA", n: "AQAB" }, { name: "RSA-PSS", hash: "SHA-256" }, false, ["verify"])`,
    ),
  ],
  ECDSA: [
    `const { privateKey, publicKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]); const settings = { name: "ECDSA", hash: "SHA-256" }; const signature = await crypto.subtle.sign(settings, privateKey, new Uint8Array(4)); const jwk = await crypto.subtle.exportKey("jwk", publicKey); const again = await crypto.subtle.importKey("jwk", jwk, { name: "ECDSA", namedCurve: "P-256" }, false, ["verify"]); return [signature.byteLength, await crypto.subtle.verify(settings, again, signature, new Uint8Array(4)), await crypto.subtle.verify(settings, again, signature, new Uint8Array(5)), Object.keys(jwk).sort(), privateKey.algorithm]`,
    thrown(`await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-0" }, true, ["sign"])`),
  ],
  streams: [
    `const read = async (stream) => { const all = []; for await (const one of stream) all.push(one); return all }; const source = new ReadableStream({ start(to) { to.enqueue("a"); to.enqueue("b"); to.close() } }); const twice = new TransformStream({ transform(one, to) { to.enqueue(one + one) }, flush(to) { to.enqueue("end") } }); return read(source.pipeThrough(twice))`,
    `let at = 0; const source = new ReadableStream({ pull(to) { to.enqueue(++at); if (at === 5) to.close() } }); const seen = []; await source.pipeTo(new WritableStream({ write(one) { seen.push(one) }, close() { seen.push("closed") } })); return [seen, source.locked]`,
    `const [one, two] = new ReadableStream({ start(to) { to.enqueue(1); to.enqueue(2); to.close() } }).tee(); const all = async (stream) => { const reader = stream.getReader(), seen = []; for (;;) { const { done, value } = await reader.read(); if (done) return seen; seen.push(value) } }; return [await all(one), await all(two)]`,
    `const seen = []; const source = new ReadableStream({ cancel(why) { seen.push(why) } }); const reader = source.getReader(); await reader.cancel("enough"); return [seen, await reader.read(), source.locked, (reader.releaseLock(), source.locked)]`,
    `const { readable, writable } = new TransformStream(); const writer = writable.getWriter(); writer.write("x"); writer.close(); const seen = []; for await (const one of readable) seen.push(one); return [seen, await writer.closed.then(() => "closed"), writer.desiredSize]`,
    `const seen = []; for await (const one of ReadableStream.from([1, 2])) seen.push(one); return seen`,
    `const source = new ReadableStream({ type: "bytes", pull(to) { to.enqueue(new Uint8Array([1, 2, 3])); to.close() } }); const reader = source.getReader({ mode: "byob" }); const { value } = await reader.read(new Uint8Array(2)); return [...value]`,
    `const controller = new AbortController(); const source = new ReadableStream({ pull: () => new Promise(() => {}) }); const done = source.pipeTo(new WritableStream(), { signal: controller.signal }).catch((error) => error.name); controller.abort(); return done`,
    `const failed = new ReadableStream({ start(to) { to.error(new TypeError("no")) } }); ${thrown("await failed.getReader().read()")}`,
    `const failed = new ReadableStream({ pull() { throw new RangeError("no") } }); ${thrown("await failed.pipeTo(new WritableStream())")}`,
    `const source = new ReadableStream(); source.getReader(); ${thrown("source.getReader()")}`,
    thrown(`await new WritableStream().getWriter().write.call({})`),
    `return [typeof ReadableStreamDefaultReader, typeof WritableStreamDefaultWriter, new CountQueuingStrategy({ highWaterMark: 3 }).highWaterMark, new ByteLengthQueuingStrategy({ highWaterMark: 3 }).size(new Uint8Array(7))]`,
    `const text = new Blob(["aü"]).stream().pipeThrough(new TextDecoderStream()); const seen = []; for await (const one of text) seen.push(one); return seen`,
    `const bytes = ReadableStream.from(["a", "\\ud83d", "\\ude00", "\\ud800"]).pipeThrough(new TextEncoderStream()); const seen = []; for await (const one of bytes) seen.push(...one); return seen`,
    `const text = ReadableStream.from([[0xef], [0xbb, 0xbf, 0xf0, 0x9f], [0x98], [0x80, 0x61], [0xe2, 0x82]].map((one) => new Uint8Array(one))).pipeThrough(new TextDecoderStream()); let all = ""; for await (const one of text) all += one; return all`,
    `const text = ReadableStream.from([new Uint8Array([0xff])]).pipeThrough(new TextDecoderStream("utf-8", { fatal: true })); ${thrown("for await (const one of text);")}`,
    `const it = new TextDecoder("utf-16le"); return [it.decode(new Uint8Array([0x61, 0, 0x3d]), { stream: true }), it.decode(new Uint8Array([0xd8, 0]), { stream: true }), it.decode(new Uint8Array([0xde])), it.encoding]`,
    `const it = new TextDecoder(); const first = it.decode(new Uint8Array([0xe2, 0x82]), { stream: true }); return [first, it.decode(new Uint8Array([0xac]), { stream: true }), it.decode(), it.decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x62]))]`,
  ],
  "bodies that are streams": [
    `const body = new ReadableStream({ start(to) { to.enqueue(new TextEncoder().encode("he")); to.enqueue(new TextEncoder().encode("llo")); to.close() } }); const response = new Response(body); return [response.body === body, response.bodyUsed, await response.text(), response.bodyUsed, response.headers.get("content-type")]`,
    `const response = new Response("abc"); const copy = response.clone(); const upper = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new TransformStream({ transform: (one, to) => to.enqueue(one.toUpperCase()) })); let all = ""; for await (const one of upper) all += one; return [all, await copy.text(), response.bodyUsed]`,
    `const request = new Request("https://a.example/", { method: "POST", duplex: "half", body: ReadableStream.from([new Uint8Array([104, 105])]) }); const copy = request.clone(); return [await request.text(), await copy.text(), request.method]`,
    `const request = new Request("https://a.example/x", { headers: { a: "1" } }); const other = new Request("https://b.example/y", request); return [other.url, other.method, other.body, request.body, other.headers.get("a"), await other.text()]`,
    `const request = new Request("https://a.example/x", { method: "POST", body: "x" }); const other = new Request("https://b.example/y", { method: request.method, headers: request.headers, body: request.body, duplex: "half" }); return [await other.text(), request.bodyUsed]`,
    `const response = new Response("a"); response.body.getReader(); ${thrown("await response.text()")}`,
    `const response = new Response("a"); await response.text(); return [response.bodyUsed, response.body.locked, response.body !== null]`,
    `const response = new Response("a"); await response.body.cancel(); ${thrown("await response.text()")}`,
    `const stream = new Response("a").body; await stream.cancel(); ${thrown("new Response(stream)")}`,
    `const response = new Response("a"); response.body.getReader(); ${thrown("response.clone()")}`,
    thrown(`await new Response(ReadableStream.from(["text"])).text()`),
    thrown(`new Response(ReadableStream.from([]), { status: 204 })`),
    thrown(`new Request("https://a.example/", { method: "GET", body: new ReadableStream(), duplex: "half" })`),
    `return [new Response("x").body instanceof ReadableStream, new Response(null).body, Response.error().type, Response.error().status, Response.error().ok]`,
  ],
  events: [
    `const target = new EventTarget(); const seen = []; target.addEventListener("a", (event) => seen.push(["one", event.type, event.target === target, event.currentTarget === target, event.eventPhase])); target.addEventListener("a", { handleEvent(event) { seen.push(["object", this.handleEvent !== undefined]) } }); target.addEventListener("b", () => seen.push("never")); const event = new Event("a"); return [target.dispatchEvent(event), seen, event.currentTarget, event.eventPhase]`,
    `const target = new EventTarget(); let count = 0; const listener = () => count++; target.addEventListener("a", listener, { once: true }); target.addEventListener("b", listener); target.addEventListener("b", listener); target.addEventListener("b", listener, true); target.dispatchEvent(new Event("a")); target.dispatchEvent(new Event("a")); target.dispatchEvent(new Event("b")); target.removeEventListener("b", listener); target.dispatchEvent(new Event("b")); return count`,
    `const target = new EventTarget(); const controller = new AbortController(); let count = 0; target.addEventListener("a", () => count++, { signal: controller.signal }); target.dispatchEvent(new Event("a")); controller.abort(); target.dispatchEvent(new Event("a")); target.addEventListener("a", () => count++, { signal: controller.signal }); target.dispatchEvent(new Event("a")); return count`,
    `const target = new EventTarget(); const seen = []; target.addEventListener("a", (event) => { seen.push(1); event.stopImmediatePropagation() }); target.addEventListener("a", () => seen.push(2)); target.dispatchEvent(new Event("a")); return seen`,
    `const target = new EventTarget(); target.addEventListener("a", (event) => event.preventDefault()); const event = new Event("a", { cancelable: true }); return [target.dispatchEvent(event), event.defaultPrevented, event.returnValue, target.dispatchEvent(new Event("a")), event.bubbles, event.cancelable, event.composed]`,
    `const target = new EventTarget(); const seen = []; target.addEventListener("a", () => { seen.push(1); target.removeEventListener("a", gone) }); const gone = () => seen.push("gone"); target.addEventListener("a", gone); target.dispatchEvent(new Event("a")); return seen`,
    `class Bus extends EventTarget { tell(detail) { return this.dispatchEvent(new CustomEvent("told", { detail })) } } const bus = new Bus(); let heard; bus.addEventListener("told", (event) => { heard = event.detail }); bus.tell({ a: 1 }); return [heard, new CustomEvent("x").detail, new CustomEvent("x") instanceof Event]`,
    `class Own extends Event { get type() { return "own" } } const target = new EventTarget(); return [new Own("a").type, [Event.NONE, Event.CAPTURING_PHASE, Event.AT_TARGET, Event.BUBBLING_PHASE], Object.prototype.toString.call(new Event("a")), new Event("a").composedPath()]`,
    `const target = new EventTarget(); let error; target.addEventListener("a", (event) => { try { target.dispatchEvent(event) } catch (it) { error = it.name ?? "none" } }); target.dispatchEvent(new Event("a")); return error !== undefined`,
    `const { signal } = new AbortController(); return [signal instanceof EventTarget, signal.onabort, Object.prototype.toString.call(signal)]`,
    `const controller = new AbortController(); const seen = []; controller.signal.onabort = () => seen.push("first"); controller.signal.addEventListener("abort", () => seen.push("second"), { once: true }); controller.signal.onabort = () => seen.push("changed"); controller.abort(); return seen`,
    `const controller = new AbortController(); const any = AbortSignal.any([controller.signal]); const seen = []; controller.signal.addEventListener("abort", () => seen.push("one")); any.addEventListener("abort", () => seen.push("any")); controller.abort(); return seen`,
    thrown(`new Event()`),
    thrown(`new EventTarget().dispatchEvent({ type: "a" })`),
    thrown(`new EventTarget().addEventListener("a", "text")`),
    thrown(`new AbortSignal()`),
  ],
  Intl: [
    `const date = new Date(Date.UTC(2026, 10, 16, 9, 5, 7)); const zone = { timeZone: "UTC" }; return [date.toLocaleString("en-US", zone), date.toLocaleDateString("en-US", { ...zone, dateStyle: "long" }), date.toLocaleTimeString("de-DE", zone), date.toLocaleDateString("en-US", { ...zone, weekday: "short", month: "short", day: "numeric" }), date.toLocaleString("ja-JP", { timeZone: "Asia/Tokyo" })]`,
    `const format = new Intl.DateTimeFormat("en-US", { timeZone: "America/New_York", dateStyle: "medium", timeStyle: "short" }); const date = new Date(0); return [format.format(date), format.format(0), format.formatToParts(date), [date].map(format.format), format.resolvedOptions(), format.formatRange(0, 86400000)]`,
    `return [new Intl.NumberFormat("en-US", { style: "currency", currency: "EUR" }).format(1234.5), (1234567.891).toLocaleString("en-US"), (0.256).toLocaleString("de-DE", { style: "percent" }), new Intl.NumberFormat("en-US", { notation: "compact" }).format(12345), 12345678901234567890n.toLocaleString("en-US"), NaN.toLocaleString("en-US"), (-Infinity).toLocaleString("en-US"), new Intl.NumberFormat("en-US").formatToParts(1.5)]`,
    `return [new Intl.PluralRules("en-US").select(1), new Intl.PluralRules("en-US", { type: "ordinal" }).select(2), new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-1, "day"), new Intl.ListFormat("en", { type: "conjunction" }).format(["a", "b", "c"]), ["b", "A", "a", "ä", "z"].sort(new Intl.Collator("de").compare), ["a10", "a2"].sort((a, b) => a.localeCompare(b, "en", { numeric: true })), "a".localeCompare("B"), "a".localeCompare("a")]`,
    `return [typeof Intl.DateTimeFormat("en-US").format, Intl.NumberFormat("en-US") instanceof Intl.NumberFormat, Intl.getCanonicalLocales("EN-us"), Intl.DateTimeFormat.supportedLocalesOf(["en-US", "de"]), Object.prototype.toString.call(Intl), [1234.5, "x"].toLocaleString("en-US"), new Date(NaN).toLocaleString()]`,
    thrown(`new Intl.DateTimeFormat("en-US", { timeZone: "Nowhere/None" })`),
    thrown(`new Intl.DateTimeFormat("not a locale")`),
    thrown(`new Intl.DateTimeFormat("en-US").format(NaN)`),
    thrown(`new Intl.NumberFormat("en-US", { style: "currency" })`),
    thrown(`(1).toLocaleString("en-US", { maximumFractionDigits: 1000 })`),
    thrown(`Intl.PluralRules("en")`),
    thrown(`Intl.NumberFormat.prototype.formatToParts.call({}, 1)`),
    thrown(`new Intl.ListFormat("en").format([1])`),
  ],
  "what is around": [
    `const before = performance.now(); await new Promise((done) => setTimeout(done, 20)); const after = performance.now(); return [after > before, after - before < 5000, typeof performance.timeOrigin, Math.abs(performance.timeOrigin + performance.now() - Date.now()) < 1000]`,
    `return [typeof process.env, process.env.NO_SUCH_NAME_HERE, "NO_SUCH_NAME_HERE" in process.env, process.env.HOME_OF_NOBODY ?? "none"]`,
  ],
  "the stack of an error": [
    `return [new Error("no"), new RangeError("no")].map((error) => error.stack.split("\\n")[0])`,
    `try { undefined.member } catch (error) { return [error.stack.startsWith("TypeError: " + error.message + "\\n"), /^ +at /.test(error.stack.split("\\n")[1])] }`,
    `try { JSON.parse("{") } catch (error) { return error.stack.startsWith("SyntaxError: " + error.message) }`,
    `class Own extends Error {} Own.prototype.name = "Own"; return new Own("no").stack.split("\\n")[0]`,
    `const error = new Error("no"); error.stack = "mine"; return [error.stack, Object.keys(error), Object.hasOwn(error, "stack")]`,
    `const it = { name: "It", message: "is" }; Error.captureStackTrace(it); class Own extends Error { constructor(message) { super(message); Error.captureStackTrace(this, Own) } } return [typeof it.stack, new Own("no").stack.split("\\n")[0], Object.keys(it)]`,
    `return new DOMException("no", "AbortError").stack.split("\\n")[0].endsWith("no")`,
    `return [Object.create(Error.prototype).stack, JSON.stringify(new Error("no"))]`,
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
    test.each(all)("the sandbox agrees with Node: %s", async (body) => {
      expect(await value(body)).toEqual(await outside(body));
    });
  });

describe("differences between Node and the standard", () => {
  test("a passive listener cannot prevent the default", async () => {
    const body = `const target = new EventTarget(); target.addEventListener("a", (event) => event.preventDefault(), { passive: true }); return target.dispatchEvent(new Event("a", { cancelable: true }))`;
    expect(await value(body)).toBe(true);
  });

  test("a listener added during an event gets the next one", async () => {
    const body = `const target = new EventTarget(); const seen = []; target.addEventListener("a", () => target.addEventListener("a", () => seen.push("later")), { once: true }); target.dispatchEvent(new Event("a")); const before = seen.length; target.dispatchEvent(new Event("a")); return [before, seen]`;
    expect(await value(body)).toEqual([0, ["later"]]);
  });

  test("dependent signals are aborted before any listener is called", async () => {
    const body = `const controller = new AbortController(); const any = AbortSignal.any([controller.signal]); let seen; controller.signal.addEventListener("abort", () => { seen = any.aborted }); controller.abort(); return seen`;
    expect(await value(body)).toBe(true);
  });
});

describe("what a script learns about its environment", () => {
  test("the runtime is a name and an empty environment", async () => {
    expect(
      await value(`return [navigator.userAgent, process.env, Object.keys(process), Object.keys(navigator)]`),
    ).toEqual(["Octavo", {}, ["env"], ["userAgent"]]);
  });

  test("no time zone and no language of the server are visible", async () => {
    const body = `const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions(); return [timeZone, locale, new Date(0).toLocaleString(), (1234.5).toLocaleString(), "ä".localeCompare("z")]`;
    expect(await value(body)).toEqual(["UTC", "en-US", "1/1/1970, 12:00:00 AM", "1,234.5", -1]);
  });

  test("performance.now is the time since the event began and advances while it waits", async () => {
    const body = `const before = performance.now(); await new Promise((done) => setTimeout(done, 250)); return [before, performance.now(), performance.timeOrigin]`;
    expect(await value(body)).toEqual([0, 250, BEGIN]);
  });

  test("a listener that throws is logged, and the other listeners get the event", async () => {
    const body = `const target = new EventTarget(); let heard = false; target.addEventListener("a", () => { throw new Error("no") }); target.addEventListener("a", () => { heard = true }); target.dispatchEvent(new Event("a")); return new Response(String(heard))`;
    const { response, logs } = await call(script(body));
    expect(new TextDecoder().decode(response?.body)).toBe("true");
    expect(logs[0]?.message).toMatch(/^Error: no\n +at /);
  });
});

test("the comparison detects a difference", async () => {
  expect(await value(`return typeof Buffer`)).not.toEqual(await outside(`return typeof Buffer`));
});

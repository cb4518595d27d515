/**
 * Seals files with WebCrypto, as the manual describes it: an implementation that shares no code with the builder.
 *
 *     node seal.mjs < {"id": "…", "key": hex, "files": {path: hex}}     prints {name: hex}
 */

import { readFileSync } from "node:fs";

const { id, key, files } = JSON.parse(readFileSync(0, "utf8"));
const { subtle } = globalThis.crypto;
const utf8 = (text) => new TextEncoder().encode(text);
const hex = (data) => Buffer.from(data).toString("hex");

const master = await subtle.importKey("raw", Buffer.from(key, "hex"), "HKDF", false, ["deriveBits"]);
const derived = (purpose) =>
  subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt: utf8(id), info: utf8(`ranvier layer ${purpose}`) }, master, 256);
const mac = async (purpose, data) => {
  const hmac = await subtle.importKey("raw", await derived(purpose), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await subtle.sign("HMAC", hmac, data));
};

function padded(content) {
  const length = content.length + 5;
  let size = 1024;
  while (size < length) {
    const power = 2 ** Math.floor(Math.log2(size));
    size += power / 4;
  }
  const plain = new Uint8Array(size);
  new DataView(plain.buffer).setUint32(1, content.length);
  plain.set(content, 5);
  return plain;
}

const contents = await subtle.importKey("raw", await derived("files"), "AES-GCM", false, ["encrypt"]);
const sealed = {};
for (const [path, text] of Object.entries(files)) {
  const plain = padded(Buffer.from(text, "hex"));
  const digest = new Uint8Array(await subtle.digest("SHA-256", plain));
  const iv = (await mac("nonces", Buffer.concat([digest, utf8(path)]))).subarray(0, 12);
  const additionalData = utf8(`ranvier layer 1\n${id}\n${path}`);
  const body = await subtle.encrypt({ name: "AES-GCM", iv, additionalData }, contents, plain);
  sealed[hex((await mac("names", utf8(path))).subarray(0, 16))] = hex(Buffer.concat([iv, Buffer.from(body)]));
}
process.stdout.write(JSON.stringify(sealed));

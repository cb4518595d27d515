/**
 * Archives of Python code: a zip with uncompressed members, in a custom section of a WebAssembly module without code. Hosts compress
 * modules.
 */

const SECTION = "archive";

/** @param {Uint8Array} file */
export async function inflate(file) {
  const stream = new Blob([/** @type {BlobPart} */ (file)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Return the archive in a module. A file that is no such module is damaged, which its digest shows before.
 *
 * @param {Uint8Array} file
 */
export function readArchive(file) {
  const sections = WebAssembly.Module.customSections(new WebAssembly.Module(/** @type {BufferSource} */ (file)), SECTION);
  return new Uint8Array(/** @type {ArrayBuffer} */ (sections[0]));
}

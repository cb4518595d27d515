/**
 * Archives of Python code: a zip with uncompressed members, in a custom section of a WebAssembly module without code. Hosts compress
 * modules.
 *
 * Python can import from a zip, but compiles each module of a zip twice: the first time only to determine its file name.
 */

const SECTION = "archive";
const END_SIZE = 22; // bytes of the last record, if the archive has no comment
const ENTRY_SIZE = 46; // bytes of a directory entry, before its name
const HEADER_SIZE = 30; // bytes of a member's own header, before its name

/**
 * @param {Uint8Array} file
 * @param {CompressionFormat} [format]
 * @returns {Promise<Uint8Array>}
 */
export async function inflate(file, format = "deflate") {
  const stream = new Blob([/** @type {BlobPart} */ (file)]).stream().pipeThrough(new DecompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Return the archive in a module. A file that is no such module is damaged, which its digest shows before.
 *
 * @param {Uint8Array} file
 * @returns {Uint8Array}
 */
export function readArchive(file) {
  const sections = WebAssembly.Module.customSections(new WebAssembly.Module(/** @type {BufferSource} */ (file)), SECTION);
  return new Uint8Array(/** @type {ArrayBuffer} */ (sections[0]));
}

/**
 * Return the members of an uncompressed zip (APPNOTE.TXT, §4.3), by its central directory.
 *
 * @param {Uint8Array} zip
 * @returns {[name: string, content: Uint8Array][]}
 */
export function readMembers(zip) {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.length);
  const count = view.getUint16(zip.length - END_SIZE + 10, true);
  let at = view.getUint32(zip.length - END_SIZE + 16, true);
  /** @type {[string, Uint8Array][]} */
  const readMembers = [];
  for (let number = 0; number < count; number += 1) {
    const size = view.getUint32(at + 24, true);
    const nameEnd = at + ENTRY_SIZE + view.getUint16(at + 28, true);
    const header = view.getUint32(at + 42, true);
    const start = header + HEADER_SIZE + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
    readMembers.push([new TextDecoder().decode(zip.subarray(at + ENTRY_SIZE, nameEnd)), zip.subarray(start, start + size)]);
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return readMembers;
}

/**
 * Write all members below a folder.
 *
 * @param {{mkdirTree: (path: string) => void, writeFile: (path: string, data: Uint8Array) => void}} fs
 * @param {Uint8Array} zip
 * @param {string} folder
 */
export function unpack(fs, zip, folder) {
  for (const [name, content] of readMembers(zip)) {
    const path = `${folder}/${name}`;
    fs.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    fs.writeFile(path, content);
  }
}

// Fills free memory of the heap and the stack with zeros. Otherwise a third of a snapshot would be remains of freed objects.

const IN_USE = 2; // a bit of the size word; another bit is for the previous chunk, and a third is never set
const FLAGS = 7;
const SMALL = 256; // a free chunk from this size on is a node of a tree
const LIST_HEAD = 16; // bytes at the start of a small free chunk: sizes, neighbours
const TREE_HEAD = 32; // and of a large one: sizes, neighbours, children, parent, index

/**
 * Walk the chunks of dlmalloc (Doug Lea, malloc.c 2.8, "Overlaid data structures"), from the heap's base to its break.
 *
 * @param {any} exports  of the instance
 */
export function sweep(exports) {
  const { memory, __heap_base: base, emscripten_stack_get_end: low, emscripten_stack_get_current: current, sbrk } = exports;
  const bytes = new Uint8Array(memory.buffer);
  const words = new Uint32Array(memory.buffer);
  const end = sbrk(0) >>> 0;
  bytes.fill(0, low() >>> 0, current() >>> 0);
  let at = base.value;
  while (at < end) {
    const head = words[(at + 4) >>> 2];
    const size = (head & ~FLAGS) >>> 0;
    if (size < 16 || at + size > end) throw new Error(`the heap has an unknown layout at ${at} of ${end}`);
    if (!(head & IN_USE)) bytes.fill(0, at + (size < SMALL ? LIST_HEAD : TREE_HEAD), at + size);
    at += size;
  }
  bytes.fill(0, end);
}

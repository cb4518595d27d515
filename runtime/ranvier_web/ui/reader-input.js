/** Whether the reader has acted on the page: marks that appear later do not move it. */

export const readerInput = {
  /** Since this script started, or since the reader opened a result; a page that is scrolled without a target was scrolled before. */
  isSeen: scrollY > 0 && !location.hash,
};

for (const type of ["keydown", "pointerdown", "touchmove", "wheel"]) {
  addEventListener(type, () => (readerInput.isSeen = true), { capture: true, passive: true });
}

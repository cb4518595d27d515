/** The folders above a page, from a small file that the builder's `write/folders.py` describes. */

/**
 * @typedef {object} FolderFile
 * @property {string[]} urls     address of each folder, with a slash at its end
 * @property {string[]} titles
 * @property {number[]} parents  -1: none
 * @property {number[]} pageless  folders whose address has no page
 * @property {Record<string, number>} page_folders  folder of each page that is not in the folder of its address
 */

/** @type {FolderFile} */
const NO_FOLDERS = { urls: [], titles: [], parents: [], pageless: [], page_folders: {} };

export class Folders {
  #file;
  #numbers;

  /** @param {FolderFile} [file] */
  constructor(file = NO_FOLDERS) {
    this.#file = file;
    this.#numbers = new Map(file.urls.map((url, number) => [url, number]));
  }

  /**
   * Return the titles of the folders above a page, from the site's root.
   *
   * @param {string} url  of the page, relative to the site's root
   */
  trail(url) {
    const { page_folders: pageFolders, parents, titles } = this.#file;
    const trail = [];
    for (let at = pageFolders[url] ?? this.#folderOf(url); at >= 0; at = parents[at] ?? -1) trail.unshift(titles[at] ?? "");
    return trail;
  }

  /** The folders with a page that are at the top of the site, or below folders without a page. */
  get top() {
    const { pageless, parents, titles, urls } = this.#file;
    const isTop = urls.map(() => true);
    // A folder comes after the one that contains it.
    parents.forEach((parent, number) => (isTop[number] = parent < 0 || (isTop[parent] === true && pageless.includes(parent))));
    return urls.map((url, number) => ({ title: titles[number] ?? "", url })).filter((_, number) => isTop[number] && !pageless.includes(number));
  }

  /** Return the folder with the longest address that this one begins with. @param {string} url */
  #folderOf(url) {
    for (let start = url; (start = start.replace(/[^/]*\/?$/, "")); ) {
      const number = this.#numbers.get(start);
      if (number !== undefined) return number;
    }
    return -1;
  }
}

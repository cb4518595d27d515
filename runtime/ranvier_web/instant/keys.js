/**
 * Keys: names in the form in which they are compared with the query. The rules are exactly those of the core's
 * `ranvier/text/keys.py`, which describes them: both must return the same suggestions.
 */

/** Convert hexadecimal code points to the body of a character class. @param {string} points */
const ranges = (points) => points.trim().replace(/\w+/g, "\\u{$&}").replace(/\s+/g, "");

/**
 * Ranges of code points that are newer than Unicode 14: they are blanks in every version of a browser. Each range is the distance
 * from the end of the range before it, and its number of further code points, both in base 36.
 */
const RANGE_STEPS =
  "1ov 8 qt 3k n d7 2dd.e 3.b 2r.1 1c 7e.1 tz o6.2 1gt va.3 dh.b na4.4 3 2 6.2 l gk2.f ce.1 1j.6 1ki.1f nh.p rr.27 8j.1p n4.2 8v.2q ku.j t9.6x c7.1l 7r.2i 445 a.341 5qe.1l 2dj.1l " +
  "87.1f 7z.4 4qq.7 zk a.6h 6yo z 59n.j7 7.1i r4.j 2fm.5 7a.2n u9.8f 5d.1r 34p 4 48.b 2i 61.f f.8 ak.3 u.2 g.8 u.2 c.4 7.9 b.5 9.2 5 8.1 5v.10 b 10zj.6 4mb.b 5s3.h9 7ar.6jt";
let end = 0;
const NEW_CODE_POINTS = new RegExp(
  `[${RANGE_STEPS.split(" ").map((range) => {
    const [step = "", more = "0"] = range.split(".");
    const first = end + parseInt(step, 36);
    end = first + parseInt(more, 36);
    return ranges(`${first.toString(16)}-${end.toString(16)}`);
  }).join("")}]`,
  "gu",
);
const UNSPACED = ranges(`
  e00-eff 1000-109f 1100-115f 1780-17ff 1950-19df 1a20-1aaf 3005-312f 31f0-31ff 3400-4dbf 4e00-9fff a9e0-a9ff
  aa60-aadf f900-faff 1b000-1b16f 20000-3ffff
`);
const HUMP = "\x01";
const MAX_QUERY_LENGTH = 200; // code points of a query that are used

const HUMPS = /([a-z0-9])(?=[A-Z])/g;
const IGNORED = new RegExp(
  String.raw`[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670` +
    String.raw`\u200c\u200d\ufe00-\ufe0f]+`,
  "gu",
);
/** @type {Record<string, string>} */
const STROKES = { ς: "σ", ø: "o", æ: "ae", œ: "oe", ł: "l", đ: "d", ð: "d", þ: "th", ħ: "h", ŧ: "t" };
const STROKED_LETTER = new RegExp(`[${Object.keys(STROKES).join("")}]`, "g");
const ASCII = /^[\0-\x7f]*$/;
// A character of a script without blanks, with its combining characters; or consecutive letters.
const PIECE = new RegExp(
  String.raw`(?=[\p{L}\p{N}])[${UNSPACED}][\p{M}\u1160-\u11ff]*|(?:(?![${UNSPACED}])[\p{L}\p{N}\x01]|\p{M})+[+#]*`,
  "gu",
);
const SIMPLE = /^[ -\x7f]*$/; // nearly all names; without humps
const SIMPLE_PIECE = /[a-z0-9]+[+#]*/g;
const MARKS = /^\p{M}*$/u;
const UNIT = /[\p{L}\p{N}\p{M}+#]+/gu;

export const UNSPACED_CHARACTER = new RegExp(`^[${UNSPACED}]`, "u");

/** Fold case, accents and compatibility forms. @param {string} text */
export function fold(text) {
  if (ASCII.test(text)) return text.toLowerCase();
  const decomposed = text.replace(NEW_CODE_POINTS, " ").normalize("NFKD").replace(IGNORED, "");
  return decomposed.toLowerCase().toUpperCase().toLowerCase().replace(STROKED_LETTER, (letter) => STROKES[letter] ?? letter);
}

/** @param {string} text */
const insertHumps = (text) => text.replace(HUMPS, `$1${HUMP}`);

/** @param {string} text */
const removeHumps = (text) => text.replaceAll(HUMP, "");

/** Split a query into the units that a text must contain, in the form of keys: `Get C++` → `["get", "c++"]`. @param {string} query */
export function units(query) {
  const folded = fold([...query.slice(0, 2 * MAX_QUERY_LENGTH)].slice(0, MAX_QUERY_LENGTH).join(""));
  return (folded.match(UNIT) ?? []).map((run) => (run.match(PIECE) ?? []).join(" ")).filter(Boolean);
}

/** Return the key of each text; all are folded together. @param {string[]} texts */
export function keys(texts) {
  return texts.length ? fold(insertHumps(texts.join("\n"))).split("\n").map(makeKey) : [];
}

/**
 * Return the words of a query in the form of the lists: `Get C++` → `["get", "c++"]`. In scripts without blanks, every two
 * neighbouring characters form a word, as does a single character without a neighbour: `東京都` → `["東京", "京都"]`.
 *
 * @param {string} query
 */
export function listWords(query) {
  return units(query).flatMap((unit) => {
    const pieces = unit.split(" ");
    const isUnspaced = pieces.map((piece) => UNSPACED_CHARACTER.test(piece));
    return pieces.flatMap((piece, at) => {
      if (!isUnspaced[at]) return piece;
      return isUnspaced[at + 1] ? piece + pieces[at + 1] : isUnspaced[at - 1] ? [] : piece;
    });
  });
}

/** @param {string} folded */
function makeKey(folded) {
  if (SIMPLE.test(folded)) return (folded.match(SIMPLE_PIECE) ?? []).map((piece) => ` ${piece}`).join("");
  const { whole, inner } = findSpans(folded);
  const text = whole.map(([start, end]) => ` ${removeHumps(folded.slice(start, end))}`).join("");
  return inner.length ? `${text}\t${inner.map(([start, end]) => ` ${removeHumps(folded.slice(start, end))}`).join("")}` : text;
}

/** Return the spans of pieces, and of the parts of pieces after a hump. @param {string} folded */
function findSpans(folded) {
  /** @type {[start: number, end: number][]} */
  const whole = [];
  /** @type {[start: number, end: number][]} */
  const inner = [];
  for (const piece of folded.matchAll(PIECE)) {
    const end = piece.index + piece[0].length;
    whole.push([piece.index, end]);
    for (let at = folded.indexOf(HUMP, piece.index); at >= 0 && at < end; at = folded.indexOf(HUMP, at + 1)) {
      inner.push([at + 1, end]);
    }
  }
  return { whole, inner };
}

/** Return the key of a text, and for each code unit of the key its position in the text. @param {string} text */
function mapKey(text) {
  let folded = "";
  let position = 0;
  /** @type {number[]} */
  const origins = [];
  for (const character of insertHumps(text)) {
    folded += fold(character);
    while (origins.length < folded.length) origins.push(position);
    if (character !== HUMP) position += character.length;
  }
  const { whole, inner } = findSpans(folded);
  let key = "";
  /** @type {number[]} */
  const positions = [];
  for (const [separator, spans] of /** @type {const} */ ([["", whole], ["\t", inner]])) {
    if (spans.length) key += separator;
    for (const [start, end] of spans) {
      key += " ";
      for (let at = start; at < end; at += 1) {
        if (folded[at] === HUMP) continue;
        positions[key.length] = /** @type {number} */ (origins[at]);
        key += folded[at];
      }
    }
  }
  return { key, positions };
}

/**
 * Cut a text into pieces, of which every second one matches the query: `Install`, `["in"]` → `["", "In", "stall"]`.
 *
 * @param {string} text
 * @param {string[]} queryUnits
 */
export function splitMatches(text, queryUnits) {
  const { key, positions } = mapKey(text);
  /** @type {[start: number, end: number][]} */
  const spans = [];
  for (const unit of queryUnits) {
    const at = key.indexOf(` ${unit}`);
    if (at >= 0) spans.push([positions[at + 1] ?? 0, characterEnd(text, positions[at + unit.length] ?? 0)]);
  }
  spans.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const pieces = [];
  let [lastEnd, lastStart] = [0, 0];
  for (const [start, end] of spans) {
    if (start > lastEnd || !pieces.length) {
      pieces.push(text.slice(lastEnd, start), text.slice(start, end));
      lastStart = start;
    } else if (end > lastEnd) pieces[pieces.length - 1] = text.slice(lastStart, end);
    lastEnd = Math.max(lastEnd, end);
  }
  if (lastEnd < text.length || !pieces.length) pieces.push(text.slice(lastEnd));
  return pieces;
}

/** Return the end of the character at `start`, including its combining marks. @param {string} text @param {number} start */
function characterEnd(text, start) {
  const [first, ...marks] = text.slice(start);
  let end = start + (first ?? "").length;
  for (const character of marks) {
    if (!MARKS.test(fold(character))) break;
    end += character.length;
  }
  return end;
}

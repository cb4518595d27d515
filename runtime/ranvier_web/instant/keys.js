/**
 * Keys: names in the form in which they are compared with the query. The rules are exactly those of the core's
 * `ranvier/text/keys.py`, which describes them: both must return the same suggestions.
 */

/** Convert hexadecimal code points to the body of a character class. @param {string} points */
const ranges = (points) => points.trim().replace(/\w+/g, "\\u{$&}").replace(/\s+/g, "");

/**
 * Ranges of code points that Unicode got after version 14: treated as blanks, independent of the browser's version. Each is the
 * step from the end of the one before, and how many more it has, both in base 36.
 */
const STEPS =
  "1ov 8 qt 3k n d7 2dd.e 3.b 2r.1 1c 7e.1 tz o6.2 1gt va.3 dh.b na4.4 3 2 6.2 l gk2.f ce.1 1j.6 1ki.1f nh.p rr.27 8j.1p n4.2 8v.2q ku.j t9.6x c7.1l 7r.2i 445 a.341 5qe.1l 2dj.1l " +
  "87.1f 7z.4 4qq.7 zk a.6h 6yo z 59n.j7 7.1i r4.j 2fm.5 7a.2n u9.8f 5d.1r 34p 4 48.b 2i 61.f f.8 ak.3 u.2 g.8 u.2 c.4 7.9 b.5 9.2 5 8.1 5v.10 b 10zj.6 4mb.b 5s3.h9 7ar.6jt";
let last = 0;
const LATER = new RegExp(
  `[${STEPS.split(" ").map((range) => {
    const [step = "", more = "0"] = range.split(".");
    const first = last + parseInt(step, 36);
    last = first + parseInt(more, 36);
    return ranges(`${first.toString(16)}-${last.toString(16)}`);
  }).join("")}]`,
  "gu",
);
const UNSPACED = ranges(`
  e00-eff 1000-109f 1100-115f 1780-17ff 1950-19df 1a20-1aaf 3005-312f 31f0-31ff 3400-4dbf 4e00-9fff a9e0-a9ff
  aa60-aadf f900-faff 1b000-1b16f 20000-3ffff
`);
const HUMP = "\x01";
const MOST_TYPED = 200; // code points of a query that are used

const HUMPS = /([a-z0-9])(?=[A-Z])/g;
const DROPPED = new RegExp(
  String.raw`[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670` +
    String.raw`\u200c\u200d\ufe00-\ufe0f]+`,
  "gu",
);
/** @type {Record<string, string>} */
const STROKES = { ς: "σ", ø: "o", æ: "ae", œ: "oe", ł: "l", đ: "d", ð: "d", þ: "th", ħ: "h", ŧ: "t" };
const STROKE = new RegExp(`[${Object.keys(STROKES).join("")}]`, "g");
const ASCII = /^[\0-\x7f]*$/;
// A sign of a script without blanks, with its combining characters; or consecutive letters.
const PIECE = new RegExp(
  String.raw`(?=[\p{L}\p{N}])[${UNSPACED}][\p{M}\u1160-\u11ff]*|(?:(?![${UNSPACED}])[\p{L}\p{N}\x01]|\p{M})+[+#]*`,
  "gu",
);
const SIMPLE = /^[ -\x7f]*$/; // nearly all names; without humps
const SIMPLE_PIECE = /[a-z0-9]+[+#]*/g;
const MARKS = /^\p{M}*$/u;
const UNIT = /[\p{L}\p{N}\p{M}+#]+/gu;

const SIGN = new RegExp(`^[${UNSPACED}]`, "u");

/** Fold case, accents and compatibility forms. @param {string} text */
export function fold(text) {
  if (ASCII.test(text)) return text.toLowerCase();
  const bare = text.replace(LATER, " ").normalize("NFKD").replace(DROPPED, "");
  return bare.toLowerCase().toUpperCase().toLowerCase().replace(STROKE, (letter) => STROKES[letter] ?? letter);
}

/** @param {string} text */
const humped = (text) => text.replace(HUMPS, `$1${HUMP}`);

/** @param {string} text */
const plain = (text) => text.replaceAll(HUMP, "");

/** Split a query into the units that a text must contain, in the form of keys: `Get C++` → `["get", "c++"]`. @param {string} query */
export function units(query) {
  const folded = fold([...query.slice(0, 2 * MOST_TYPED)].slice(0, MOST_TYPED).join(""));
  return (folded.match(UNIT) ?? []).map((run) => (run.match(PIECE) ?? []).join(" ")).filter(Boolean);
}

/** Return the key of each text; all are folded together. @param {string[]} texts */
export function keys(texts) {
  return texts.length ? fold(humped(texts.join("\n"))).split("\n").map(key) : [];
}

/**
 * Return the words of a query in the form of the lists: `Get C++` → `["get", "c++"]`. In scripts without blanks, every two
 * neighbouring signs form a word, as does a single sign without a neighbour: `東京都` → `["東京", "京都"]`.
 *
 * @param {string} query
 */
export function listWords(query) {
  return units(query).flatMap((unit) => {
    const pieces = unit.split(" ");
    const isSign = pieces.map((piece) => SIGN.test(piece));
    return pieces.flatMap((piece, at) => {
      if (!isSign[at]) return piece;
      return isSign[at + 1] ? piece + pieces[at + 1] : isSign[at - 1] ? [] : piece;
    });
  });
}

/** @param {string} folded */
function key(folded) {
  if (SIMPLE.test(folded)) return (folded.match(SIMPLE_PIECE) ?? []).map((piece) => ` ${piece}`).join("");
  const { whole, inner } = words(folded);
  const text = whole.map(([start, end]) => ` ${plain(folded.slice(start, end))}`).join("");
  return inner.length ? `${text}\t${inner.map(([start, end]) => ` ${plain(folded.slice(start, end))}`).join("")}` : text;
}

/** Return the spans of pieces, and of the parts of pieces after a hump. @param {string} folded */
function words(folded) {
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

/** Return a text's key, and for each of its code units the position in the text. @param {string} text */
function placed(text) {
  let folded = "";
  let place = 0;
  /** @type {number[]} */
  const origins = [];
  for (const character of humped(text)) {
    folded += fold(character);
    while (origins.length < folded.length) origins.push(place);
    if (character !== HUMP) place += character.length;
  }
  const { whole, inner } = words(folded);
  let mapped = "";
  /** @type {number[]} */
  const places = [];
  for (const [joint, spans] of /** @type {const} */ ([["", whole], ["\t", inner]])) {
    if (spans.length) mapped += joint;
    for (const [start, end] of spans) {
      mapped += " ";
      for (let at = start; at < end; at += 1) {
        if (folded[at] === HUMP) continue;
        places[mapped.length] = /** @type {number} */ (origins[at]);
        mapped += folded[at];
      }
    }
  }
  return { mapped, places };
}

/**
 * Cut a text into pieces, of which every second one matches the query: `Install`, `["in"]` → `["", "In", "stall"]`.
 *
 * @param {string} text
 * @param {string[]} queryUnits
 * @returns {string[]}
 */
export function marked(text, queryUnits) {
  const { mapped, places } = placed(text);
  /** @type {[start: number, end: number][]} */
  const spans = [];
  for (const unit of queryUnits) {
    const at = mapped.indexOf(` ${unit}`);
    if (at >= 0) spans.push([places[at + 1] ?? 0, endOf(text, places[at + unit.length] ?? 0)]);
  }
  spans.sort((a, other) => a[0] - other[0] || a[1] - other[1]);
  const out = [];
  let [after, from] = [0, 0];
  for (const [start, end] of spans) {
    if (start > after || !out.length) {
      out.push(text.slice(after, start), text.slice(start, end));
      from = start;
    } else if (end > after) out[out.length - 1] = text.slice(from, end);
    after = Math.max(after, end);
  }
  if (after < text.length || !out.length) out.push(text.slice(after));
  return out;
}

/** Return the end of the character at `last`, including its combining marks. @param {string} text @param {number} last */
function endOf(text, last) {
  const [first, ...rest] = text.slice(last);
  let end = last + (first ?? "").length;
  for (const character of rest) {
    if (!MARKS.test(fold(character))) break;
    end += character.length;
  }
  return end;
}

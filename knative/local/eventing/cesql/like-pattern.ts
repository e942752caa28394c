/** What stands between two `%`: characters to be met, or `undefined` for any one character. */
type Piece = readonly (string | undefined)[];

/** A pattern of LIKE, cut at its `%`. */
export interface LikePattern {
  readonly pieces: readonly Piece[];
}

/** Reads a pattern: `%` is any text, `_` any one character, a backslash before either means the character itself. */
export function likePattern(text: string): LikePattern {
  const pieces: (string | undefined)[][] = [[]];
  for (const [part] of text.matchAll(/\\[%_]|./gsu)) {
    if (part === "%") pieces.push([]);
    else pieces.at(-1)?.push(part === "_" ? undefined : unescaped(part));
  }
  return { pieces };
}

function unescaped(part: string): string {
  return part === "\\%" || part === "\\_" ? part.slice(1) : part;
}

/** Whether the whole text matches; takes time in proportion to text × pattern at worst. */
export function matchesLike(text: string, { pieces }: LikePattern): boolean {
  const characters = [...text];
  const [first = [], ...rest] = pieces;
  const last = rest.pop();
  if (!standsAt(characters, first, 0)) return false;
  if (last === undefined) return characters.length === first.length;
  let from = first.length;
  for (const piece of rest) {
    const found = find(characters, piece, from);
    if (found === undefined) return false;
    from = found + piece.length;
  }
  const end = characters.length - last.length;
  return end >= from && standsAt(characters, last, end);
}

/** The leftmost place is always right: it leaves most for what follows. */
function find(characters: readonly string[], piece: Piece, from: number): number | undefined {
  for (let at = from; at + piece.length <= characters.length; at++) {
    if (standsAt(characters, piece, at)) return at;
  }
  return undefined;
}

function standsAt(characters: readonly string[], piece: Piece, at: number): boolean {
  if (at + piece.length > characters.length) return false;
  return piece.every((wanted, index) => wanted === undefined || characters[at + index] === wanted);
}

import fc from "fast-check";

/** Changes the text of an index as people and tools do, or as somebody hostile would. */
export type Mutation = (text: string) => string;

/** A mutation of one line. */
type LineMutation = (line: string) => string | readonly string[];

const LINES: Readonly<Record<string, LineMutation>> = {
  deleted: () => [],
  repeated: (line) => [line, line],
  "more indented": (line) => ` ${line}`,
  "less indented": (line) => line.replace(/^ /, ""),
  "not indented": (line) => line.trimStart(),
  "after an empty line": (line) => ["", line],
  "before spaces": (line) => [line, "        "],
  "after a comment": (line) => [`${line.match(/^ */)?.[0] ?? ""}# a comment`, line],
  "after a comment at the margin": (line) => ["# a comment", line],
  "with a comment behind": (line) => `${line} # a comment`,
  "with spaces behind": (line) => `${line}  `,
  "with a tab": (line) => line.replace(": ", ":\t"),
  "indented by a tab": (line) => `\t${line}`,
  "ended as on Windows": (line) => `${line}\r`,
  "broken by a lone carriage return": (line) => line.replace(": ", ":\r      "),
  "with an anchor": (line) => line.replace(/: (\S)/, ": &a $1"),
  "with an anchor on its list": (line) => line.replace(/:$/, ": &a"),
  "with an alias": (line) => line.replace(/: \S.*$/, ": *a"),
  "with a tag": (line) => line.replace(/: (\S)/, ": !!str $1"),
  "with a quoted key": (line) => line.replace(/^( *(?:- )?)([\w-]+):/, '$1"$2":'),
  "with a key of its own": (line) => line.replace(/^( *(?:- )?)([\w-]+):/, "$1? $2\n$1:"),
  "in flow style": (line) => line.replace(/: (\S.*)$/, ": {a: [$1]}"),
  "an empty flow list": (line) => line.replace(/:.*$/, ": []"),
  "quoted and open": (line) => line.replace(/: (\S)/, ': "$1'),
  "quoted over lines": (line) => line.replace(/: (\S.*)$/, ': "x\n\n          $1"'),
  "quoted at the margin": (line) => line.replace(/: (\S.*)$/, ': "x\n  y:\n  - $1"'),
  "a literal text": (line) => line.replace(/^( *)(.*): (\S.*)$/, "$1$2: |\n$1    $3\n\n$1  - name: x"),
  "a folded text": (line) => line.replace(/^( *)(.*): (\S.*)$/, "$1$2: >-\n$1    $3\n$1    more"),
  "a literal text with an indicator": (line) => line.replace(/^( *)(.*): (\S.*)$/, "$1$2: |2-\n$1     $3"),
  "a number": (line) => line.replace(/: \S.*$/, ": 0x1F"),
  "a long number": (line) => line.replace(/: \S.*$/, ": 1.10"),
  "a word that means something": (line) => line.replace(/: \S.*$/, ": null"),
  "with characters of others": (line) => line.replace(/: (\S)/, ": \u00e9\u4e16\ud83d\ude00 $1"),
  "with a control character": (line) => line.replace(/: (\S)/, ": \u0007$1"),
  "after another document": (line) => ["---", line],
  "after the end": (line) => ["...", line],
  "after entries": (line) => ["entries:", line],
  "after a chart": (line) => ["  another:", line],
  "after the first chart again": (line) => ["  podinfo:", line],
};

const WHOLE: Readonly<Record<string, Mutation>> = {
  "with a byte order mark": (text) => `\ufeff${text}`,
  "as on Windows": (text) => text.replaceAll("\n", "\r\n"),
  "after a document start": (text) => `---\n${text}`,
  "after a directive": (text) => `%YAML 1.2\n---\n${text}`,
  "with its time first": (text) => `generated: "2020-01-01T00:00:00Z"\n${text}`,
  "with other fields": (text) => `${text}serverInfo:\n  contextPath: ""\n`,
  "without its last line end": (text) => text.trimEnd(),
  "all indented": (text) => text.replaceAll(/^(?=.)/gm, "  "),
  "wider in its entries": (text) => text.replaceAll(/^(?= )/gm, "  "),
  "with aliases of aliases": (text) => `a: &a [1,1]\nb: &b [*a,*a]\nc: &c [*b,*b]\n${text}`,
};

/** One mutation; shrinks to the simplest that shows a fault. */
export function anyMutation(): fc.Arbitrary<Mutation> {
  const line = fc.record({ kind: fc.constantFrom(...Object.keys(LINES)), at: fc.nat() });
  const whole = fc.constantFrom(...Object.keys(WHOLE));
  const cut = fc.nat();
  return fc.oneof(
    { weight: 12, arbitrary: line.map(({ kind, at }) => named(kind, (text) => mutateLine(text, at, LINES[kind]))) },
    { weight: 2, arbitrary: whole.map((kind) => named(kind, (text) => WHOLE[kind]?.(text) ?? text)) },
    { weight: 1, arbitrary: cut.map((at) => named(`cut at ${at}`, (text) => text.slice(0, at % (text.length + 1)))) },
  );
}

function mutateLine(text: string, at: number, mutate: LineMutation = (line) => line): string {
  const lines = text.split("\n");
  const number = at % lines.length;
  return lines.flatMap((line, index) => (index === number ? mutate(line) : line)).join("\n");
}

/** Names a mutation in the report of a failed property. */
function named(name: string, mutation: Mutation): Mutation {
  return Object.defineProperty(mutation, fc.toStringMethod, { value: () => name });
}

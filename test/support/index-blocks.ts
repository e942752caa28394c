/** The charts in an index as text, by name: each from the line of its name to the next. */
export function chartBlocks(index: string): [name: string, block: string][] {
  const from = index.indexOf("\nentries:\n") + "\nentries:\n".length;
  const to = index.slice(from).search(/^(?=[^\s#-])/m);
  const blocks = index.slice(from, to < 0 ? undefined : from + to).split(/^(?= {2}[^\s#-])/m);
  return blocks.map((block) => [block.slice(2, block.indexOf(":")), block]);
}

/** A chart's text with one version more: its first again, under another number. */
export function withOneMore(block: string): string {
  const indent = block.split("\n")[1]?.search(/\S/) ?? 0;
  const [head = "", first = "", ...others] = block.split(new RegExp(`^(?= {${indent}}- )`, "m"));
  const version = new RegExp(`^( {${indent + 2}})version: .*$`, "m");
  if (!version.test(first)) throw new Error(`no version found in ${first.slice(0, 200)}`);
  return [head, first, first.replace(version, "$1version: 99.0.0"), ...others].join("");
}

/** One comparison: both sides do the same work, in turn, in one run. */
export interface Row {
  readonly id: string;
  readonly what: string;
  readonly peerName: string;
  readonly unit: string;
  /** Which way is better; the target bounds ours ÷ peer from that side. */
  readonly better: "lower" | "higher";
  readonly target: number;
  /** Starts what both sides need; a measuring call does the work once and gives the figure. */
  prepare(): Promise<Sides>;
}

/** The two sides of a row, ready to be measured. */
export interface Sides {
  ours(): Promise<number>;
  peer(): Promise<number>;
  close(): Promise<void>;
}

/** What a row came to, as it stands in out.json. */
export interface Result {
  readonly id: string;
  readonly what: string;
  readonly ours: number;
  readonly peer: number;
  readonly peerName: string;
  readonly unit: string;
  readonly ratio: number;
  readonly target: number;
  readonly pass: boolean;
}

/** Measures a row: one round to warm up, then `rounds` rounds of ours and peer in turn; figures are medians. */
export async function measure(row: Row, rounds: number): Promise<Result> {
  const sides = await row.prepare();
  try {
    await sides.ours();
    await sides.peer();
    const ours: number[] = [];
    const peer: number[] = [];
    for (let round = 0; round < rounds; round++) {
      ours.push(await sides.ours());
      peer.push(await sides.peer());
    }
    return judged(row, median(ours), median(peer));
  } finally {
    await sides.close();
  }
}

function judged({ id, what, peerName, unit, better, target }: Row, ours: number, peer: number): Result {
  const ratio = ours / peer;
  const pass = better === "lower" ? ratio <= target : ratio >= target;
  return { id, what, ours: rounded(ours), peer: rounded(peer), peerName, unit, ratio: rounded(ratio), target, pass };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

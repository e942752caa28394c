const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago a time was, as kubectl shows it: `12s`, `3m20s`, `5h`, `4d2h`, `2y10d`. */
export function ageOf(time: string, now: number = Date.now()): string {
  const then = Date.parse(time);
  return Number.isNaN(then) ? "<unknown>" : humanDuration(now - then);
}

/** A duration in milliseconds, with at most two units and less detail the longer it is. */
export function humanDuration(milliseconds: number): string {
  if (milliseconds < -second) return "<invalid>";
  if (milliseconds < 0) return "0s";
  const step = steps.find(({ below }) => milliseconds < below);
  return step === undefined ? `${Math.floor(milliseconds / (365 * day))}y` : pair(milliseconds, step.unit, step.part);
}

type Unit = "s" | "m" | "h" | "d" | "y";
const sizes: Readonly<Record<Unit, number>> = { s: second, m: minute, h: hour, d: day, y: 365 * day };

// The bounds of k8s.io/apimachinery duration.HumanDuration.
const steps: readonly { readonly below: number; readonly unit: Unit; readonly part?: Unit }[] = [
  { below: 2 * minute, unit: "s" },
  { below: 10 * minute, unit: "m", part: "s" },
  { below: 3 * hour, unit: "m" },
  { below: 8 * hour, unit: "h", part: "m" },
  { below: 2 * day, unit: "h" },
  { below: 8 * day, unit: "d", part: "h" },
  { below: 2 * 365 * day, unit: "d" },
  { below: 8 * 365 * day, unit: "y", part: "d" },
];

function pair(milliseconds: number, unit: Unit, part?: Unit): string {
  const whole = Math.floor(milliseconds / sizes[unit]);
  const rest = part === undefined ? 0 : Math.floor((milliseconds % sizes[unit]) / sizes[part]);
  return rest === 0 ? `${whole}${unit}` : `${whole}${unit}${rest}${part}`;
}

const SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

const DURATION = /^[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;

/** Seconds of a duration as Go writes it: `1h30m`, `200s`, `0`; `undefined` where the text is none. */
export function goDuration(text: string): number | undefined {
  if (/^[-+]?0$/.test(text)) return 0;
  if (text.length > 64 || !DURATION.test(text)) return undefined;
  const parts = text.matchAll(/(\d+\.?\d*|\.\d+)([a-zµμ]+)/g);
  const seconds = [...parts].reduce((sum, [, number, unit = ""]) => sum + Number(number) * (SECONDS[unit] ?? 0), 0);
  return text.startsWith("-") ? -seconds : seconds;
}

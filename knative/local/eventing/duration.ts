const PATTERN = /^P(?:(\d+)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const UNITS_MS = [86_400_000, 3_600_000, 60_000, 1_000] as const;

/** Milliseconds of an ISO 8601 duration as delivery specs write it (`PT1S`, `PT0.2S`, `P1DT2H`); throws on anything else. */
export function parseDuration(text: string): number {
  const parts = PATTERN.exec(text)?.slice(1);
  const amounts = parts?.map((part) => Number(part ?? 0));
  if (!parts || !amounts || parts.every((part) => part === undefined)) {
    throw new Error(`"${text}" is no ISO 8601 duration of days, hours, minutes and seconds such as PT1.5S`);
  }
  return UNITS_MS.reduce((sum, unit, index) => sum + unit * (amounts[index] ?? 0), 0);
}

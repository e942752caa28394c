type Values = Readonly<Record<string, unknown>>;

/** Values that set every image tag, pull policy and number of replicas of a chart's defaults to something else. */
export function changedValues(defaults: Values): Values {
  const changed: [string, unknown][] = [];
  for (const [key, value] of Object.entries(defaults)) {
    const other = otherValue(key, value);
    if (other !== undefined) changed.push([key, other]);
  }
  return Object.fromEntries(changed);
}

function otherValue(key: string, value: unknown): unknown {
  if (/^(?:imagePullPolicy|pullPolicy)$/.test(key)) return value === "Always" ? "IfNotPresent" : "Always";
  if (/^(?:replicas|replicaCount)$/.test(key) && typeof value === "number") return value + 1;
  if (isValues(value)) return emptyAsNone(changedValues(value));
  return key === "tag" && !Array.isArray(value) ? "99.9.9" : undefined;
}

function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function emptyAsNone(values: Values): Values | undefined {
  return Object.keys(values).length === 0 ? undefined : values;
}

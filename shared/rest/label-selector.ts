/** Whether labels are selected. */
export type Selects = (labels: Readonly<Record<string, string>>) => boolean;

const KEY = "([A-Za-z0-9][-A-Za-z0-9_./]*)";
const SET = new RegExp(`^${KEY}\\s+(in|notin)\\s*\\(([^()]*)\\)$`);
const EQUALITY = new RegExp(`^${KEY}\\s*(==|=|!=)\\s*([-A-Za-z0-9_.]*)$`);
const EXISTENCE = new RegExp(`^(!?)\\s*${KEY}$`);

/** Longer texts are no selectors: taking them apart would keep everybody else waiting. */
const MAX_LENGTH = 1024;

/** Reads a label selector as Kubernetes writes it: equality, sets and existence, joined by commas; `undefined` if it is none. */
export function labelSelector(text: string): Selects | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const requirements = text.split(/,(?![^(]*\))/).map((each) => requirement(each.trim()));
  if (text.trim() === "") return () => true;
  if (!requirements.every((each) => each !== undefined)) return undefined;
  return (labels) => requirements.every((selects) => selects(labels));
}

function requirement(text: string): Selects | undefined {
  const [, inKey, operator, list = ""] = SET.exec(text) ?? [];
  if (inKey !== undefined) return among(inKey, operator === "in", list.split(","));
  const [, key, equality, value = ""] = EQUALITY.exec(text) ?? [];
  if (key !== undefined) return among(key, equality !== "!=", [value]);
  const [, not, existing] = EXISTENCE.exec(text) ?? [];
  if (existing === undefined) return undefined;
  return (labels) => Object.hasOwn(labels, existing) === (not === "");
}

/** As Kubernetes has it, objects without the label are not among any values, so that `notin` and `!=` select them. */
function among(key: string, wanted: boolean, values: readonly string[]): Selects {
  const set = new Set(values.map((each) => each.trim()));
  return (labels) => (Object.hasOwn(labels, key) && set.has(labels[key] ?? "")) === wanted;
}

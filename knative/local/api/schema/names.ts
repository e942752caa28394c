const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const CONFIG_KEY = "[-._a-zA-Z0-9]+";

const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const LABEL_1035_TEXT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const QUALIFIED_TEXT =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const VALUE_TEXT =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const CONFIG_KEY_TEXT = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";

interface Rule {
  readonly source: string;
  readonly text: string;
  readonly examples: readonly string[];
}

function complaint(rule: Rule): string {
  const examples = rule.examples.map((example) => `'${example}', `).join(" or ");
  return `${rule.text} (e.g. ${examples}regex used for validation is '${rule.source}')`;
}

const expressions = new Map<string, RegExp>();

function matches(source: string, text: string): boolean {
  const known = expressions.get(source) ?? new RegExp(`^${source}$`);
  expressions.set(source, known);
  return known.test(text);
}

function lengthProblems(text: string, max: number): readonly string[] {
  return text.length > max ? [`must be no more than ${max} characters`] : [];
}

/** What keeps a text from being a DNS-1123 subdomain, the rule for most names; [] when it is one. */
export function subdomainProblems(text: string): readonly string[] {
  const rule = { source: SUBDOMAIN, text: SUBDOMAIN_TEXT, examples: ["example.com"] };
  return [...lengthProblems(text, 253), ...(matches(SUBDOMAIN, text) ? [] : [complaint(rule)])];
}

/** What keeps a text from being a DNS-1123 label, the rule for namespaces. */
export function labelNameProblems(text: string): readonly string[] {
  const problems = [...lengthProblems(text, 63)];
  if (matches(LABEL, text)) return problems;
  const rule = { source: LABEL, text: LABEL_TEXT, examples: ["my-name", "123-abc"] };
  return [...problems, matches(SUBDOMAIN, text) ? "must not contain dots" : complaint(rule)];
}

/** What keeps a text from being a DNS-1035 label, the rule for Services. */
export function label1035Problems(text: string): readonly string[] {
  const rule = { source: LABEL_1035, text: LABEL_1035_TEXT, examples: ["my-name", "abc-123"] };
  return [...lengthProblems(text, 63), ...(matches(LABEL_1035, text) ? [] : [complaint(rule)])];
}

/** What keeps a text from being a path segment, the rule for RBAC names. */
export function pathSegmentProblems(text: string): readonly string[] {
  if (text === "." || text === "..") return [`may not be '${text}'`];
  return ["/", "%"].filter((part) => text.includes(part)).map((part) => `may not contain '${part}'`);
}

/** What keeps a text from being a label or annotation key (prefix/name). */
export function qualifiedNameProblems(text: string): readonly string[] {
  const rule = { source: QUALIFIED, text: QUALIFIED_TEXT, examples: ["MyName", "my.name", "123-abc"] };
  const parts = text.split("/");
  if (parts.length > 2) {
    return [
      `a qualified name ${complaint(rule)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const [prefix, name = ""] = parts.length === 2 ? parts : [undefined, ...parts];
  const problems = prefix === undefined ? [] : prefixProblems(prefix);
  const own = name === "" ? ["must be non-empty"] : lengthProblems(name, 63);
  const shape = matches(QUALIFIED, name) ? [] : [complaint(rule)];
  return [...problems, ...[...own, ...shape].map((problem) => `name part ${problem}`)];
}

function prefixProblems(prefix: string): readonly string[] {
  const problems = prefix === "" ? ["must be non-empty"] : subdomainProblems(prefix);
  return problems.map((problem) => `prefix part ${problem}`);
}

/** What keeps a text from being a label's value. */
export function labelValueProblems(text: string): readonly string[] {
  const source = `(${QUALIFIED})?`;
  const rule = { source, text: VALUE_TEXT, examples: ["MyValue", "my_value", "12345"] };
  return [...lengthProblems(text, 63), ...(matches(source, text) ? [] : [complaint(rule)])];
}

/** What keeps a text from being a key of a ConfigMap or Secret. */
export function configKeyProblems(text: string): readonly string[] {
  const rule = { source: CONFIG_KEY, text: CONFIG_KEY_TEXT, examples: ["key.name", "KEY_NAME", "key-name"] };
  const shape = matches(CONFIG_KEY, text) ? [] : [complaint(rule)];
  if (text === "." || text === "..") return [...shape, `must not be '${text}'`];
  return [...lengthProblems(text, 253), ...shape, ...(text.startsWith("..") ? ["must not start with '..'"] : [])];
}

import { badRequest } from "./errors.ts";

/** Tells whether labels match a selector. */
export type LabelMatch = (labels: Readonly<Record<string, string>>) => boolean;

const requirementPattern = /^(!?)\s*([^\s=!,()<>]+)\s*(?:(==|=|!=|>|<|\bin\b|\bnotin\b)\s*(.*))?$/su;

/** Reads a labelSelector (`a=b,c!=d,e in (f,g),h,!i`); undefined when it is empty. Throws 400. */
export function parseLabelSelector(text: string | null): LabelMatch | undefined {
  if (text === null || text.trim() === "") return undefined;
  const matches = splitTopLevel(text).map((part) => parseRequirement(part.trim()));
  return (labels) => matches.every((match) => match(labels));
}

/**
 * Texts that the stored form of every object holds that a label selector can match: what lacks one need not be parsed.
 * Only equalities give such a text.
 */
export function labelHints(text: string | null): readonly string[] {
  return splitTopLevel(text ?? "").flatMap((part) => {
    const [, not = "", key, operator, value = ""] = requirementPattern.exec(part.trim()) ?? [];
    const equality = key !== undefined && not === "" && (operator === "=" || operator === "==");
    return equality ? [`${JSON.stringify(key)}:${JSON.stringify(value)}`] : [];
  });
}

function splitTopLevel(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index];
    if (letter === "(") depth += 1;
    else if (letter === ")") depth -= 1;
    else if (letter === "," && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function parseRequirement(text: string): LabelMatch {
  const [, not = "", key, operator, value = ""] = requirementPattern.exec(text) ?? [];
  if (key === undefined || (not !== "" && operator !== undefined)) throw unreadable(text);
  if (operator === undefined) return (labels) => Object.hasOwn(labels, key) === (not === "");
  return comparison(key, operator, value);
}

function comparison(key: string, operator: string, value: string): LabelMatch {
  if (operator === "in" || operator === "notin") return setRequirement(key, operator, value);
  if (operator === ">" || operator === "<") return orderRequirement(key, operator, value);
  if (/[\s(),=!]/u.test(value)) throw unreadable(`${key}${operator}${value}`);
  return operator === "!=" ? (labels) => labels[key] !== value : (labels) => labels[key] === value;
}

function setRequirement(key: string, operator: string, value: string): LabelMatch {
  const [, inner] = /^\(([^()]*)\)$/u.exec(value.trim()) ?? [];
  if (inner === undefined) throw unreadable(`${key} ${operator} ${value}`);
  const values = new Set(inner.split(",").map((item) => item.trim()));
  if (operator === "in") return (labels) => Object.hasOwn(labels, key) && values.has(labels[key] ?? "");
  return (labels) => !Object.hasOwn(labels, key) || !values.has(labels[key] ?? "");
}

function orderRequirement(key: string, operator: string, value: string): LabelMatch {
  const limit = Number(value);
  if (!Number.isInteger(limit)) throw unreadable(`${key}${operator}${value}`);
  return (labels) => {
    const found = Number(labels[key] ?? Number.NaN);
    return operator === ">" ? found > limit : found < limit;
  };
}

function unreadable(text: string): Error {
  return badRequest(`unable to parse requirement: ${JSON.stringify(text)} is no label selector`);
}

/** One term of a field selector. */
export interface FieldTerm {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** Reads a fieldSelector (`metadata.name=a,status.phase!=Running`). Throws 400. */
export function parseFieldSelector(text: string | null): readonly FieldTerm[] {
  if (text === null || text.trim() === "") return [];
  return text.split(/(?<!\\),/u).map((part) => {
    const [, field, operator, value] = /^\s*([^=!]+?)\s*(==|=|!=)(.*)$/su.exec(part) ?? [];
    if (field === undefined || value === undefined) throw badRequest(`invalid field selector: ${part}`);
    return { field, equal: operator !== "!=", value: value.replace(/\\([\\,=])/gu, "$1") };
  });
}

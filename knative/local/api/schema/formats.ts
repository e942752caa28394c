import { isIP, isIPv4, isIPv6 } from "node:net";

/** The format's name when the text does not follow it, undefined when it does or the format is not checked. */
export function formatProblem(format: string, text: string): string | undefined {
  const check = formatCheck(format);
  return check === undefined || check(text) ? undefined : format;
}

/** The check of a format, undefined when texts are not checked for it. */
export function formatCheck(format: string): ((text: string) => boolean) | undefined {
  return isKnownFormat(format) ? FORMATS[format.replaceAll("-", "")] : undefined;
}

/** True when a schema may use the format for texts (others are ignored, with a warning). */
export function isKnownFormat(format: string): boolean {
  return Object.hasOwn(FORMATS, format.replaceAll("-", ""));
}

/** A time as RFC 3339 writes it, with a time zone. */
export function isDateTime(text: string): boolean {
  const [, date = "", hours = "", minutes = "", seconds = ""] = DATE_TIME.exec(text) ?? [];
  return isDate(date) && hours <= "23" && minutes <= "59" && seconds <= "59";
}

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** A duration as Go writes it (1h2m3.5s). */
export function isGoDuration(text: string): boolean {
  return /^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(text);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= 28 || day <= new Date(Date.UTC(Number(text.slice(0, 4)), month, 0)).getUTCDate();
}

function isUri(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/.test(text) || /^\/\S*$/.test(text);
}

const LETTERS = "a-zA-Z0-9\\p{S}\\p{L}";
const HOSTNAME = new RegExp(
  `^(?:[${LETTERS}](?:-?[${LETTERS}]{0,62})?|(?:[${LETTERS}](?:[-${LETTERS}]{0,61}[${LETTERS}])?\\.)+[a-zA-Z\\p{L}]{2,63})$`,
  "u",
);

function isHostname(text: string): boolean {
  return text.length <= 255 && HOSTNAME.test(text) && text.split(".").every((part) => part.length <= 63);
}

const DURATION_PART = /\d+\s*([A-Za-zµ]+)/g;
const DURATION_UNIT = /^(ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*)$/i;

function isDuration(text: string): boolean {
  return isGoDuration(text) || [...text.matchAll(DURATION_PART)].some(([, unit = ""]) => DURATION_UNIT.test(unit));
}

function isCidr(text: string): boolean {
  const [address = "", bits = "", ...rest] = text.split("/");
  const version = isIP(address);
  return version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}

function uuid(version: string, variant: string): (text: string) => boolean {
  const hex = "[0-9a-f]";
  const expression = new RegExp(`^${hex}{8}-?${hex}{4}-?${version}${hex}{3}-?${variant}${hex}{3}-?${hex}{12}$`, "i");
  return (text) => expression.test(text);
}

function matches(expression: RegExp): (text: string) => boolean {
  return (text) => expression.test(text);
}

function digits(text: string): readonly number[] {
  return [...text.replaceAll(/[\s-]/g, "")].map((one) => (one === "X" || one === "x" ? 10 : Number(one)));
}

function isIsbn10(text: string): boolean {
  if (!/^(\d[\s-]?){9}[\dXx]$/.test(text)) return false;
  return digits(text).reduce((sum, digit, index) => sum + (10 - index) * digit, 0) % 11 === 0;
}

function isIsbn13(text: string): boolean {
  if (!/^(\d[\s-]?){12}\d$/.test(text)) return false;
  return digits(text).reduce((sum, digit, index) => sum + (index % 2 === 0 ? 1 : 3) * digit, 0) % 10 === 0;
}

function isCreditCard(text: string): boolean {
  const number = text.replaceAll(/\D/g, "");
  if (!/^(4\d{12}(\d{3})?|5[1-5]\d{14}|6(011|5\d\d)\d{12}|3[47]\d{13}|3(0[0-5]|[68]\d)\d{11})$/.test(number))
    return false;
  const sum = [...number].reverse().reduce((total, digit, index) => total + luhn(Number(digit), index), 0);
  return sum % 10 === 0;
}

function luhn(digit: number, index: number): number {
  const doubled = index % 2 === 1 ? digit * 2 : digit;
  return doubled > 9 ? doubled - 9 : doubled;
}

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: matches(/^[0-9a-fA-F]{24}$/),
  uri: isUri,
  email: matches(/^[^\s@<>]+@[^\s@<>]+$/),
  hostname: isHostname,
  ipv4: isIPv4,
  ipv6: (text) => isIPv6(text) && !text.includes("%"),
  cidr: isCidr,
  mac: matches(
    /^([0-9a-fA-F]{2}([:-])([0-9a-fA-F]{2}\2){4}([0-9a-fA-F]{2}\2[0-9a-fA-F]{2}\2)?[0-9a-fA-F]{2}|([0-9a-fA-F]{4}\.){2,3}[0-9a-fA-F]{4})$/,
  ),
  uuid: uuid("[0-9a-f]", "[0-9a-f]"),
  uuid3: uuid("3", "[0-9a-f]"),
  uuid4: uuid("4", "[89ab]"),
  uuid5: uuid("5", "[89ab]"),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: matches(
    /^rgb\(\s*(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])\s*(,\s*(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])\s*){2}\)$/,
  ),
  byte: matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && new RegExp(`^${LABEL}$`).test(text),
  k8slongname: (text) => text.length <= 253 && new RegExp(`^${LABEL}(\\.${LABEL})*$`).test(text),
};

import { type Environment, Optional } from "@marcbachmann/cel-js";
import { formatProblem } from "./formats.ts";
import {
  label1035Problems,
  labelNameProblems,
  labelValueProblems,
  qualifiedNameProblems,
  subdomainProblems,
} from "./names.ts";

/** What `format` names in rules: a place for functions, not a value. */
class Formats {}

type Problems = (text: string) => readonly string[];

/** A named format as CEL rules hold it. */
class NamedFormat {
  readonly problems: Problems;
  constructor(problems: Problems) {
    this.problems = problems;
  }
}

function named(format: string): Problems {
  return (text) => (formatProblem(format, text) === undefined ? [] : [`invalid ${format}`]);
}

const FORMATS: Readonly<Record<string, Problems>> = {
  dns1123Label: labelNameProblems,
  dns1123Subdomain: subdomainProblems,
  dns1035Label: label1035Problems,
  qualifiedName: qualifiedNameProblems,
  labelValue: labelValueProblems,
  uri: named("uri"),
  uuid: named("uuid"),
  byte: named("byte"),
  date: named("date"),
  datetime: named("datetime"),
};

/** format.<name>().validate(text): the problems as an optional list, none when the text follows the format. */
export function addFormats(environment: Environment): void {
  environment
    .registerType("format", Formats)
    .registerType("kubernetes.NamedFormat", NamedFormat)
    .registerConstant("format", "format", new Formats())
    .registerFunction(
      "kubernetes.NamedFormat.validate(string): optional",
      ({ problems }: NamedFormat, text: string) => {
        const found = problems(text);
        return found.length === 0 ? Optional.none() : Optional.of(found);
      },
    );
  for (const [name, problems] of Object.entries(FORMATS)) {
    environment.registerFunction(`format.${name}(): kubernetes.NamedFormat`, () => new NamedFormat(problems));
  }
}

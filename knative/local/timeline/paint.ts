import { styleText } from "node:util";

/** Colours text on a terminal and leaves it plain elsewhere. */
export interface Paint {
  strong(text: string): string;
  faint(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  name(text: string): string;
}

type Style = Parameters<typeof styleText>[0];

/** With `colors` false every call returns its text unchanged. */
export function createPaint(colors: boolean): Paint {
  const style = (format: Style) => (text: string) =>
    colors ? styleText(format, text, { validateStream: false }) : text;
  return {
    strong: style("bold"),
    faint: style("dim"),
    good: style("green"),
    bad: style("red"),
    name: style("cyan"),
  };
}

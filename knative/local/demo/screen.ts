import { createPaint, type Paint } from "../timeline/paint.ts";

/** Where the demo writes: progress on a terminal, plain lines elsewhere. */
export interface Screen {
  readonly paint: Paint;
  line(text?: string): void;
  heading(text: string): void;
  /** Shows that a step runs; the returned function replaces it by its result. */
  begin(text: string): (ok: boolean, result: string) => void;
}

/** Writes to `stream`; colours only on a terminal and where NO_COLOR is not set. */
export function createScreen(stream: NodeJS.WriteStream, noColor: boolean): Screen {
  const live = stream.isTTY === true;
  // A reader that has seen enough (`| head`) ends the output, not the demo.
  stream.on("error", () => {});
  const paint = createPaint(live && !noColor);
  const line = (text = "") => void stream.write(`${text}\n`);
  return {
    paint,
    line,
    heading: (text) => line(`\n${paint.strong(text)}`),
    begin(text) {
      const started = performance.now();
      if (live) stream.write(`… ${text}`);
      return (ok, result) => {
        const seconds = paint.faint(`${((performance.now() - started) / 1000).toFixed(1)} s`);
        const mark = ok ? paint.good("ok") : paint.bad("failed");
        line(`${live ? "\r\u001b[K" : ""}${mark} ${text} ${seconds}${result === "" ? "" : `  ${result}`}`);
      };
    },
  };
}

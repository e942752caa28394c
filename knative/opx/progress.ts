/** Tells a person what is waited for. */
export interface Progress {
  /** Replaces what was told before. */
  tell(text: string): void;
  /** Takes the line away again. */
  done(): void;
}

interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** One line that is written over and over on a terminal; anywhere else nothing is told. */
export function progressOn(terminal: Terminal): Progress {
  if (!terminal.isTTY) return { tell: () => undefined, done: () => undefined };
  let told = "";
  return {
    tell(text) {
      const line = text.slice(0, (terminal.columns ?? 80) - 1);
      if (line !== told) terminal.write(`\r\x1b[2K${line}`);
      told = line;
    },
    done() {
      if (told !== "") terminal.write("\r\x1b[2K");
      told = "";
    },
  };
}

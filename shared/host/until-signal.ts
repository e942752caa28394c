import { messageOf } from "../errors.ts";

/** A function that is being served. */
export interface Serving {
  /** Address of the HTTP server: events with DELIVERY=http or requests, probes always. */
  readonly url: string;
  /** Takes nothing new, finishes what is under way, closes connections. */
  stop(): Promise<void>;
}

/** Keeps the process up until SIGTERM or SIGINT; a function that cannot start ends it with the reason. */
export async function untilSignal(name: string, start: () => Promise<Serving>): Promise<void> {
  try {
    const serving = await start();
    const end = () => {
      void serving.stop().then(() => process.exit(0));
    };
    process.once("SIGTERM", end);
    process.once("SIGINT", end);
  } catch (error) {
    process.stderr.write(`${name} cannot start: ${messageOf(error)}\n`);
    process.exit(1);
  }
}

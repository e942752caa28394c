import type { NatsConnection } from "nats";
import { UsageError } from "../command.ts";
import type { OpxContext } from "../context.ts";

/** Option of commands that cannot do without the stream. */
export const NATS_OPTIONS = {
  nats: { type: "string", value: "URL", description: "addresses of NATS (default: $NATS_URL)" },
} as const;

/** Connects to NATS. Throws `UsageError` where nobody says where it is. */
export async function requiredNats(context: OpxContext, url: string | undefined): Promise<NatsConnection> {
  const connection = await context.nats(url);
  if (connection) return connection;
  throw new UsageError("where is NATS? Give --nats URL or set NATS_URL");
}
